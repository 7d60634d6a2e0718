package client

import (
	"context"

	"lull/actors"
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
func (c *Client) Samples() Samples { return c.bus }
