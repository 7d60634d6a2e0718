package client

import (
	"context"
	"errors"
	"fmt"
	"time"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/ledger"
)

// Entry is one event of the log and what it did.
type Entry struct {
	actors.Entry
	Subject string
	Verdict ledger.Verdict
}

// View is the ledger as the log means it, folded up to the end and followed
// from there. It is not safe for concurrent use.
type View struct {
	State *ledger.State
	// Each is called with every entry that is folded, if it is not nil.
	Each func(Entry)

	pool       subjects.Pool
	gone       context.Context
	deliveries <-chan actors.Delivery
}

// View folds the log up to its present end, from the newest snapshot that can
// be used on, and follows it until ctx ends.
func (c *Client) View(ctx context.Context) (*View, error) {
	info, err := c.bus.Log(ctx)
	if err != nil {
		return nil, err
	}
	v := &View{pool: c.pool, gone: c.gone}
	if v.State, err = c.restore(ctx, info); err != nil {
		return nil, err
	}
	if v.deliveries, err = c.bus.Follow(ctx, v.State.Seq+1, ""); err != nil {
		return nil, err
	}
	if info.First > info.Last {
		return v, nil // nothing will come: all was trimmed
	}
	return v, v.Until(ctx, func() bool { return v.State.Seq >= info.Last })
}

// Until folds what the log brings until cond holds, which it asks first at
// once.
func (v *View) Until(ctx context.Context, cond func() bool) error {
	for !cond() {
		if _, err := v.Step(ctx, nil); err != nil {
			return err
		}
	}
	return nil
}

// Step folds the next entry of the log, or reports that tick fired first.
func (v *View) Step(ctx context.Context, tick <-chan time.Time) (ticked bool, err error) {
	select {
	case <-ctx.Done():
		return false, context.Cause(ctx)
	case <-v.gone.Done():
		return false, context.Cause(v.gone)
	case <-tick:
		return true, nil
	case d, ok := <-v.deliveries:
		if !ok {
			return false, errors.Join(context.Cause(ctx), errors.New("the connection to the log was closed"))
		}
		return false, v.fold(d)
	}
}

// Of reports whether the entry is about a job, or one of its tasks.
func (e Entry) Of(p subjects.Pool, job string) bool {
	return actors.Match(p.OfJob(job), e.Subject) || actors.Match(p.OfTasks(job), e.Subject)
}

func unknown(d actors.Delivery) error {
	return fmt.Errorf("the log holds %s at %d, which this lull does not know: use the version that the pool runs", d.Subject, d.Seq)
}

// fold applies one message. Bytes that are no event mean nothing, here as in
// every service; a kind that only a newer version knows may mean a lot, if it is not marked optional.
func (v *View) fold(d actors.Delivery) error {
	e, err := subjects.Decode(v.pool, d.Subject, d.Body)
	if err != nil && !d.Passable(err) {
		return unknown(d)
	}
	if err != nil {
		v.State.Seq = max(v.State.Seq, d.Seq)
		return nil //nolint:nilerr // it is passed over
	}
	entry := Entry{Entry: actors.Entry{Seq: d.Seq, Time: d.Time, Event: e}, Subject: d.Subject}
	entry.Verdict = v.State.Apply(d.Seq, d.Time, e)
	if v.Each != nil {
		v.Each(entry)
	}
	return nil
}
