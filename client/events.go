package client

import (
	"context"

	"lull/actors"
	"lull/subjects"
)

// Events calls each for the entries of the pool's log from a sequence on, in their order, until ctx
// ends or each returns an error, and returns that. 0 stands for the next entry. Entries that the
// log no longer keeps are left out.
func (c *Client) Events(ctx context.Context, from uint64, each func(actors.Entry) error) error {
	info, err := c.bus.Log(ctx)
	if err != nil {
		return err
	}
	if from == 0 {
		from = info.Last + 1
	}
	ctx, forget := whileOpen(ctx, c.gone)
	defer forget()
	deliveries, err := c.bus.Follow(ctx, max(from, info.First), "")
	if err != nil {
		return err
	}
	for d := range deliveries {
		e, err := subjects.Decode(c.pool, d.Subject, d.Body)
		switch {
		case err != nil && !d.Skippable(err):
			return unknown(d)
		case err != nil:
			continue
		}
		if err := each(actors.Entry{Seq: d.Seq, Time: d.Time, Event: e}); err != nil {
			return err
		}
	}
	return interrupted(ctx)
}
