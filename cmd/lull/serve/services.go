package serve

import (
	"context"

	"lull/actors/jetstream"
)

func (l *Local) startServices(ctx context.Context) error { return nil }

// bus opens the pool on a connection of its own: one service that is slow to
// read does not hold up another.
func (l *Local) bus(ctx context.Context, name string) (*gated, error) {
	conn, err := l.server.Conn(name)
	if err != nil {
		return nil, err
	}
	l.conns = append(l.conns, conn)
	bus, err := jetstream.Open(ctx, conn, l.cfg.Pool)
	if err != nil {
		return nil, err
	}
	return &gated{bus, &l.gate}, nil
}
