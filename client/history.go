package client

import (
	"cmp"
	"context"
	"slices"

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

// Revocations returns, in order, what the log still holds about attempts that were taken
// back for a job's sake.
func (c *Client) Revocations(ctx context.Context, job string) (ended []actors.Entry, err error) {
	all, err := c.past(ctx, c.pool.Revocations())
	for _, entry := range all {
		if e, ok := entry.Event.(*subjects.Revoked); ok && e.For == job {
			ended = append(ended, entry)
		}
	}
	return ended, err
}

// past returns the events on a filter up to the present end of the log.
func (c *Client) past(ctx context.Context, filter string) ([]actors.Entry, error) {
	newest, err := c.bus.Last(ctx, filter)
	if err != nil || newest.Seq == 0 {
		return nil, err // nothing will come
	}
	ctx, forget := whileOpen(ctx, c.gone)
	defer forget()
	deliveries, err := c.bus.Follow(ctx, 1, filter)
	if err != nil {
		return nil, err
	}
	var entries []actors.Entry
	for d := range deliveries {
		e, err := subjects.Decode(c.pool, d.Subject, d.Body)
		if err != nil && !d.Skippable(err) {
			return nil, unknown(d)
		}
		if err == nil {
			entries = append(entries, actors.Entry{Seq: d.Seq, Time: d.Time, Event: e})
		}
		if d.Seq >= newest.Seq {
			return entries, nil
		}
	}
	return nil, interrupted(ctx)
}
