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
	Change  ledger.Change
}

// View is the state of a pool, folded from the log up to its end and followed from there. It is not safe for
// concurrent use.
type View struct {
	State *ledger.State
	// Each, if it is not nil, is called with every entry after it was folded.
	Each func(Entry)

	client     *Client
	pool       subjects.Pool
	gone       context.Context
	deliveries <-chan actors.Delivery
	unfollow   context.CancelFunc
}

// View folds the log up to its present end, from the newest snapshot that it can use, and follows it until
// ctx ends or the client is closed.
func (c *Client) View(ctx context.Context) (*View, error) {
	info, err := c.bus.Log(ctx)
	if err != nil {
		return nil, err
	}
	v := &View{client: c, pool: c.pool, gone: c.gone, unfollow: func() {}}
	if err := v.begin(ctx, info); err != nil {
		return nil, err
	}
	return v, v.upTo(ctx, info)
}

// CatchUp folds the log up to its present end.
func (v *View) CatchUp(ctx context.Context) error {
	info, err := v.client.bus.Log(ctx)
	if err != nil {
		return err
	}
	return v.upTo(ctx, info)
}

func (v *View) upTo(ctx context.Context, info actors.LogInfo) error {
	if info.First > info.Last {
		return nil // nothing will come: all was trimmed
	}
	return v.Until(ctx, func() bool { return v.State.Seq >= info.Last })
}

// begin restores the state from the newest snapshot and reads on from there.
func (v *View) begin(ctx context.Context, info actors.LogInfo) (err error) {
	if v.State, err = v.client.restore(ctx, info); err != nil {
		return err
	}
	v.unfollow()
	ctx, cancel := context.WithCancel(ctx)
	forget := context.AfterFunc(v.gone, cancel)
	v.unfollow = func() { forget(); cancel() }
	v.deliveries, err = v.client.bus.Follow(ctx, v.State.Seq+1, "")
	return err
}

// Until folds entries as they come until cond returns true. It calls cond before the first entry and after
// each step.
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
		if !ok && v.gone.Err() != nil {
			return false, context.Cause(v.gone)
		}
		if !ok {
			return false, errors.Join(context.Cause(ctx), errors.New("the connection to the log was closed"))
		}
		if d.Seq > v.State.Seq+1 && !v.voids(d) {
			return false, v.skip(ctx)
		}
		return false, v.fold(d)
	}
}

// voids reports whether a message says that all entries between the view's place and the message are
// lost.
func (v *View) voids(d actors.Delivery) bool {
	event, err := subjects.Decode(v.pool, d.Subject, d.Body)
	return err == nil && actors.Voids(event, v.State.Seq+1)
}

// skip continues from a snapshot if the log was trimmed beyond the place to which the view had
// read, as happens after the client's machine was suspended. Each is not called for the trimmed
// entries.
func (v *View) skip(ctx context.Context) error {
	info, err := v.client.bus.Log(ctx)
	if err != nil {
		return err
	}
	return v.begin(ctx, info)
}

// Of reports whether the entry is about a job, or one of its tasks.
func (e Entry) Of(p subjects.Pool, job string) bool {
	return actors.Match(p.OfJob(job), e.Subject) || actors.Match(p.OfTasks(job), e.Subject)
}

func unknown(d actors.Delivery) error {
	return fmt.Errorf("the log holds %s at %d, which this lull does not know: use the version that the pool runs", d.Subject, d.Seq)
}

// keeps reports whether a subject is one of the log's, perhaps of a newer version. Messages
// that were published elsewhere and delivered into the log are none.
func (v *View) keeps(subject string) bool {
	ctx, cancel := context.WithTimeout(v.gone, answerWithin)
	defer cancel()
	info, err := v.client.bus.Log(ctx)
	return err != nil || info.Keeps(subject)
}

// fold applies one message. Bytes that are no event mean nothing, here as in every service. A kind
// that only a newer version knows may mean a lot, if it is not marked optional.
func (v *View) fold(d actors.Delivery) error {
	e, err := subjects.Decode(v.pool, d.Subject, d.Body)
	if err != nil && !d.Skippable(err) && v.keeps(d.Subject) {
		return unknown(d)
	}
	if err != nil {
		v.State.Seq = max(v.State.Seq, d.Seq)
		return nil //nolint:nilerr // it is passed over
	}
	entry := Entry{Entry: actors.Entry{Seq: d.Seq, Time: d.Time, Event: e}, Subject: d.Subject}
	entry.Change = v.State.Apply(d.Seq, d.Time, e)
	if !v.State.Vouched {
		subjects.Unsign(e)
	}
	if v.Each != nil {
		v.Each(entry)
	}
	return nil
}
