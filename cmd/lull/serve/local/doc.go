// Package local runs all services of a pool in one process, around an embedded NATS server on a
// data folder.
//
//	l, err := local.Start(ctx, local.Config{Data: dir})
//	conn, err := l.Conn("client")
//	…
//	err = l.Close()
//
// Several processes share a machine by its data folder: the first owns it, the others find the
// owner with Attach.
//
//	folder ──▶ embedded server ──▶ gate ──▶ admission, slotter
//	                │               └─────▶ agent = monitor + host controller
//	                └──▶ endpoint: URL and token for other processes
package local
