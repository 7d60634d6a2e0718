package jetstream

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"lull/actors"
)

// Core NATS announces a message of the log at once, a moment before the stream has
// stored it. The reader looks for it at growing intervals until it is there. Messages
// that were not announced are found by a look every leafIdle.
const (
	leafFirst = time.Millisecond
	leafMost  = 2 * time.Second
	leafIdle  = 5 * time.Second
	leafRetry = 250 * time.Millisecond
)

// leaf follows the log without a consumer.
func (b *Bus) leaf(ctx context.Context, from uint64, filter string) (<-chan actors.Delivery, error) {
	l := &leafReader{bus: b, filter: filter, from: from, out: make(chan actors.Delivery, followBuffer), announced: make(chan struct{}, 1)}
	stop, err := l.listen(ctx)
	if err != nil {
		return nil, fmt.Errorf("read stream %s from %d: %w", b.pool.Log(), from, err)
	}
	if _, err := b.describe(ctx, b.pool.Log()); err != nil {
		stop()
		return nil, fmt.Errorf("read from %d: %w", from, err)
	}
	go func() {
		defer close(l.out)
		defer stop()
		l.run(ctx)
	}()
	return l.out, nil
}

type leafReader struct {
	bus       *Bus
	filter    string
	from      uint64
	out       chan actors.Delivery
	announced chan struct{} // holds a token if a message was announced since the last look
	debt      atomic.Int64  // messages announced and not read yet
	more      bool          // the last look did not reach the log's end
}

// listen subscribes to the log's subjects, so that the reader knows when to look.
func (l *leafReader) listen(ctx context.Context) (stop func(), err error) {
	patterns := []string{l.filter}
	if l.filter == "" {
		patterns = l.bus.pool.Facts()
	}
	var subs []*nats.Subscription
	stop = func() {
		for _, sub := range subs {
			_ = sub.Unsubscribe() // the connection may be gone already
		}
	}
	for _, pattern := range patterns {
		sub, err := l.bus.nc.Subscribe(pattern, func(*nats.Msg) { l.ring() })
		if err != nil {
			return stop, err
		}
		subs = append(subs, sub)
	}
	if err := l.bus.flush(ctx); err != nil {
		stop()
		return nil, err
	}
	return stop, nil
}

func (l *leafReader) ring() {
	l.debt.Add(1)
	select {
	case l.announced <- struct{}{}:
	default:
	}
}

func (l *leafReader) run(ctx context.Context) {
	for wait := leafFirst; ctx.Err() == nil; {
		read, err := l.readPage(ctx)
		switch {
		case err != nil:
			pause(ctx, leafRetry)
		case l.more:
		case l.debt.Load() <= 0 || wait > leafMost:
			l.debt.Store(0)
			pause(ctx, l.bus.pace) // what is announced meanwhile counts
			l.await(ctx)
			wait = leafFirst
		default:
			if pause(ctx, wait); read == 0 {
				wait *= 2
			}
		}
	}
}

// readPage reads the next page and returns its number of messages.
func (l *leafReader) readPage(ctx context.Context) (int, error) {
	l.more = false
	n, err := l.bus.page(ctx, l.bus.pool.Log(), l.filter, l.from, func(d actors.Delivery) {
		l.more = d.Pending > 0
		l.put(ctx, d)
	})
	l.debt.Add(-int64(n))
	return n, err
}

// await waits for an announcement, or for the time of the next look.
func (l *leafReader) await(ctx context.Context) {
	idle := time.NewTimer(leafIdle)
	defer idle.Stop()
	select {
	case <-l.announced:
		// The message may have been counted before the debt was settled, and may not be stored yet.
		// One look that finds nothing must not end the search for it.
		l.debt.Store(max(l.debt.Load(), 1))
	case <-idle.C:
	case <-ctx.Done():
	}
}

func (l *leafReader) put(ctx context.Context, d actors.Delivery) {
	l.from = max(l.from, d.Seq+1)
	select {
	case l.out <- d:
	case <-ctx.Done():
	}
}

// pause waits for d, or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
