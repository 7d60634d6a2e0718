// Package serve puts lull's services together: all of them in one process
// (Start, for `lull up` and `lull run`), or one of them alone against a NATS
// server elsewhere. It holds flags, wiring and printing; it decides nothing.
//
//	local, err := serve.Start(ctx, serve.LocalConfig{Data: dir})
//	conn, err := local.Conn("client")
//	…
//	err = local.Close()
//
// Several processes share a machine by its data folder: the first owns it,
// the others find the owner with Attach.
//
//	folder ──▶ embedded server ──▶ gate ──▶ admission, slotter
//	                │               └─────▶ agent = monitor + host controller
//	                └──▶ endpoint: URL and token for other processes
package serve
