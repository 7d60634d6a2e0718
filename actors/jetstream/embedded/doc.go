// Package embedded is the NATS server inside this process: the one that `lull up` and
// `lull server` run, and that tests use.
//
//	server, err := embedded.Start(embedded.Config{Dir: dir, SyncAlways: true})
//	conn, err := server.Conn("slotter")
//	bus, err := jetstream.Open(ctx, conn, subjects.DefaultPool)
//
// It checks its store before the server opens it, stages batches in memory, and restarts a server
// after its disk was full. Programs that connect to a server elsewhere do not import it, because it
// links all of nats-server.
package embedded
