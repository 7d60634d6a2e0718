// Package embedded is the NATS server inside this process: the one that `lull up` and
// `lull server` run, and that tests use.
//
//	server, err := embedded.Start(embedded.Config{Dir: dir, SyncAlways: true})
//	conn, err := server.Conn("slotter")
//	bus, err := jetstream.Open(ctx, conn, subjects.DefaultPool)
//
// It checks its store before the server opens it, stages batches in memory, and restarts
// a server whose disk was full. Programs that speak to a server elsewhere do not import it:
// it carries all of nats-server.
package embedded
