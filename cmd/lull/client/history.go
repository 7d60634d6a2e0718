package client

import (
	"cmp"
	"context"
	"errors"
	"slices"

	upstream "github.com/nats-io/nats.go/jetstream"

	"lull/actors"
	"lull/subjects"
)

// History returns what the log still holds about one job and its tasks, in
// its order. It reads that job's subjects alone, by one filter each, because a
// consumer with two filters is many times slower.
func (c *Client) History(ctx context.Context, job string) ([]actors.Entry, error) {
	facts, err := c.past(ctx, c.pool.OfJob(job))
	if err != nil {
		return nil, err
	}
	tasks, err := c.past(ctx, c.pool.OfTasks(job))
	if err != nil {
		return nil, err
	}
	all := append(facts, tasks...)
	slices.SortFunc(all, func(a, b actors.Entry) int { return cmp.Compare(a.Seq, b.Seq) })
	return all, nil
}

// past returns the events on a filter up to the present end of the log.
func (c *Client) past(ctx context.Context, filter string) ([]actors.Entry, error) {
	last, err := c.last(ctx, filter)
	if err != nil || last == 0 {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	deliveries, err := c.bus.Follow(ctx, 1, filter)
	if err != nil {
		return nil, err
	}
	var entries []actors.Entry
	for d := range deliveries {
		e, err := subjects.Decode(c.pool, d.Subject, d.Body)
		if err != nil && !d.Passable(err) {
			return nil, unknown(d)
		}
		if err == nil {
			entries = append(entries, actors.Entry{Seq: d.Seq, Time: d.Time, Event: e})
		}
		if d.Seq >= last {
			return entries, nil
		}
	}
	return nil, errors.Join(ctx.Err(), errors.New("the connection to the log was closed"))
}

// last is the sequence of the newest message on a filter, 0 if there is none.
// Without it a reader could not tell that nothing will come.
func (c *Client) last(ctx context.Context, filter string) (uint64, error) {
	stream, err := c.js.Stream(ctx, c.pool.Log())
	if err != nil {
		return 0, err
	}
	m, err := stream.GetLastMsgForSubject(ctx, filter)
	if errors.Is(err, upstream.ErrMsgNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return m.Sequence, nil
}
