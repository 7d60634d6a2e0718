package serve

import (
	"context"

	"lull/actors/jetstream"
)

func (l *Local) startServices(ctx context.Context) error { return nil }

func (l *Local) bus(ctx context.Context, name string) (*jetstream.Bus, error) {
	conn, err := l.server.Conn(name)
	if err != nil {
		return nil, err
	}
	l.conns = append(l.conns, conn)
	return jetstream.Open(ctx, conn, l.cfg.Pool)
}
