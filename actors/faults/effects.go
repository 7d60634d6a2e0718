package faults

import (
	"context"
	"sync"
	"time"

	"lull/actors"
	"lull/subjects"
)

// Save stores a snapshot, or does not.
func (b *Bus) Save(ctx context.Context, name string, s actors.Snapshot) error {
	return b.performEffect(Save, func() error { return b.Bus.Save(ctx, name, s) })
}

// Trim drops the beginning of the log, or does not.
func (b *Bus) Trim(ctx context.Context, below uint64) error {
	return b.performEffect(Trim, func() error { return b.Bus.Trim(ctx, below) })
}

// PutHistory keeps a block of history, or does not.
func (b *Bus) PutHistory(ctx context.Context, m subjects.Message) error {
	return b.performEffect(PutHistory, func() error { return b.Bus.PutHistory(context.WithoutCancel(ctx), m) })
}

// Publish sends a core message, or does not.
func (b *Bus) Publish(subject string, body []byte) error {
	return b.performEffect(Publish, func() error { return b.Bus.Publish(subject, body) })
}

// Inbox opens a reader of the inbox, unless a fault prevents it.
func (b *Bus) Inbox(ctx context.Context, from uint64, filters ...string) (<-chan actors.Delivery, error) {
	var in <-chan actors.Delivery
	err := b.performEffect(Inbox, func() (err error) {
		in, err = b.Bus.Inbox(ctx, from, filters...)
		return err
	})
	return in, err
}

// Quarantine keeps refused bytes, or does not.
func (b *Bus) Quarantine(ctx context.Context, where, id, reason string, body []byte) error {
	return b.performEffect(Quarantine, func() error { return b.Bus.Quarantine(ctx, where, id, reason, body) })
}

// Lease takes a lease, or does not, or believes that it has one.
func (b *Bus) Lease(ctx context.Context, name, holder string, ttl time.Duration) (held bool, err error) {
	if b.HoldsLease {
		return true, nil
	}
	err = b.performEffect(Lease, func() error {
		held, err = b.Bus.Lease(ctx, name, holder, ttl)
		return err
	})
	return held && err == nil, err
}

// Release gives a lease back, or does not.
func (b *Bus) Release(ctx context.Context, name, holder string) error {
	return b.performEffect(Release, func() error { return b.Bus.Release(ctx, name, holder) })
}

// gate passes deliveries on while it is open.
type gate struct {
	mu struct {
		sync.Mutex
		closed chan struct{} // nil while open; closed when it opens again
	}
}

func (g *gate) wait() <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.mu.closed
}

// Stall keeps the log's deliveries back until Resume, as for a process that
// was stopped and does not know it.
func (b *Bus) Stall() {
	b.gate.mu.Lock()
	defer b.gate.mu.Unlock()
	if b.gate.mu.closed == nil {
		b.gate.mu.closed = make(chan struct{})
	}
}

// Resume passes deliveries on again.
func (b *Bus) Resume() {
	b.gate.mu.Lock()
	defer b.gate.mu.Unlock()
	if b.gate.mu.closed != nil {
		close(b.gate.mu.closed)
		b.gate.mu.closed = nil
	}
}

// Follow passes the log's deliveries through the gate.
func (b *Bus) Follow(ctx context.Context, from uint64, filter string) (<-chan actors.Delivery, error) {
	in, err := b.Bus.Follow(ctx, from, filter)
	if err != nil {
		return nil, err
	}
	out := make(chan actors.Delivery)
	go func() {
		defer close(out)
		for d := range in {
			if !b.pass(ctx, out, d) {
				return
			}
		}
	}()
	return out, nil
}

func (b *Bus) pass(ctx context.Context, out chan<- actors.Delivery, d actors.Delivery) bool {
	if closed := b.gate.wait(); closed != nil {
		select {
		case <-closed:
		case <-ctx.Done():
			return false
		}
	}
	select {
	case out <- d:
		return true
	case <-ctx.Done():
		return false
	}
}
