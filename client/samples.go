package client

import (
	"context"

	"lull/actors"
	"lull/actors/jetstream"
	"lull/subjects"
)

// Samples is the pool's history of its primaries: see actors.Bus.
type Samples interface {
	Pool() subjects.Pool
	HistoryInfo(ctx context.Context) (actors.LogInfo, error)
	PutHistory(ctx context.Context, m subjects.Message) error
	ReadHistory(ctx context.Context, from uint64, filter string, take func(actors.Delivery) error) (next uint64, err error)
}

// Samples returns the pool's history of its primaries. It is closed with the client.
func (c *Client) Samples() Samples { return samples{c.bus, c} }

// samples is the bus, with ErrForbidden where the key has no right.
type samples struct {
	*jetstream.Bus
	client *Client
}

// HistoryInfo describes the stream of history.
func (s samples) HistoryInfo(ctx context.Context) (actors.LogInfo, error) {
	if err := s.client.mayRead(ctx, s.client.pool.History(), "read the history of hosts"); err != nil {
		return actors.LogInfo{}, err
	}
	return s.Bus.HistoryInfo(ctx)
}

// PutHistory keeps a block.
func (s samples) PutHistory(ctx context.Context, m subjects.Message) error {
	if err := s.client.may(ctx, m.Subject, "import history"); err != nil {
		return err
	}
	return s.Bus.PutHistory(ctx, m)
}
