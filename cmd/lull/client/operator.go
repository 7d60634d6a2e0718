package client

import (
	"context"

	"lull/actors"
	"lull/subjects"
)

// Say appends what an operator says of hosts or the pool to the log: all of it
// or nothing. It needs no service: each host reads it for itself, so that the
// kill switch works when everything else is down. Each event is signed with the connection's
// user, if there is one.
func (c *Client) Say(ctx context.Context, events ...subjects.Event) error {
	batch := make([]subjects.Message, len(events))
	for i, e := range events {
		subjects.Sign(e, c.user)
		m, err := subjects.Encode(c.pool, e)
		if err != nil {
			return err
		}
		batch[i] = m
	}
	for len(batch) > 0 {
		n := min(len(batch), actors.MaxBatch)
		if _, err := c.bus.Append(ctx, batch[:n], actors.Fence{}); err != nil {
			return err
		}
		batch = batch[n:]
	}
	return nil
}
