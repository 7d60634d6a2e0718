package vouch

import (
	"context"

	"github.com/nats-io/nats.go"

	"lull/actors/jetstream"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/serve/dial"
	"lull/subjects"
)

// Writes returns an opener that first makes sure that the server lets the connection's key publish on
// subject, which the named service cannot do without. Otherwise the service would wait for
// answers for ever: where each key has an account of its own, the server refuses nothing.
func Writes(service, subject string, open dial.Opener) dial.Opener {
	return func(ctx context.Context, nc *nats.Conn, pool subjects.Pool) (*jetstream.Bus, error) {
		if err := jetstream.CheckKey(ctx, nc, pool, subject, "lull "+service); err != nil {
			return nil, exit.With(exit.Usage, err)
		}
		return open(ctx, nc, pool)
	}
}
