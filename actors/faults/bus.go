package faults

import (
	"context"
	"fmt"
	"sync"
	"time"

	"lull/actors"
	"lull/subjects"
)

// Bus wraps an actors.Bus and injects faults into its calls. It can also stall deliveries to readers.
type Bus struct {
	actors.Bus
	script script
	gate   gate
	mu     struct {
		sync.Mutex
		late     []func() error // appends that the script postponed
		outcomes []error        // of every append that reached the inner bus, in order
	}
	// HoldsLease makes Lease always succeed. It simulates a holder that does not know yet that its
	// lease is over.
	HoldsLease bool
}

var _ actors.Bus = (*Bus)(nil)

// Wrap returns a Bus that passes calls on to inner, except where a fault applies.
func Wrap(inner actors.Bus, faults ...Fault) *Bus {
	b := &Bus{Bus: inner}
	b.script.mu.faults = faults
	b.script.mu.counts = make(map[Op]int)
	b.script.crash = make(chan struct{})
	return b
}

// Crashed is closed once a Crash has taken effect.
func (b *Bus) Crashed() <-chan struct{} { return b.script.crash }

// Outcomes lists how the appends so far ended, as the inner bus saw it.
func (b *Bus) Outcomes() []error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]error(nil), b.mu.outcomes...)
}

// performEffect runs an effect, postpones it or drops it, as the script says for this call of op.
func (b *Bus) performEffect(op Op, effect func() error) error {
	f, faulty, err := b.script.next(op)
	if err != nil {
		return err
	}
	if f.Delay > 0 {
		time.Sleep(f.Delay)
	}
	if !faulty {
		return effect()
	}
	switch f.How {
	case LoseCall:
		return fmt.Errorf("%w: the call was lost", actors.ErrUnknown)
	case LoseAck:
		_ = effect()
		return fmt.Errorf("%w: the answer was lost", actors.ErrUnknown)
	case Late:
		b.postpone(effect)
		return fmt.Errorf("%w: the call is late", actors.ErrUnknown)
	case Refuse:
		return actors.ErrFull
	case RefuseForGood:
		return actors.ErrRefused
	case Crowd:
		return actors.ErrBatches
	}
	_ = effect()
	close(b.script.crash)
	return ErrCrashed
}

// postpone keeps an effect until the next Append.
func (b *Bus) postpone(effect func() error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.mu.late = append(b.mu.late, effect)
}

// overdue returns the postponed effects and removes them from the list.
func (b *Bus) overdue() []func() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	late := b.mu.late
	b.mu.late = nil
	return late
}

// Append appends as the script says. Afterwards it runs the appends that were postponed before, so that
// they reach a log which has grown meanwhile.
func (b *Bus) Append(ctx context.Context, batch []subjects.Message, fence actors.Fence) (uint64, error) {
	var seq uint64
	late := b.overdue()
	err := b.performEffect(Append, func() (err error) {
		// A late effect outlives its caller, which gave up long ago.
		seq, err = b.Bus.Append(context.WithoutCancel(ctx), batch, fence)
		b.note(err)
		return err
	})
	for _, effect := range late {
		_ = effect() // it notes its own outcome
	}
	if err != nil {
		return 0, err
	}
	return seq, nil
}

func (b *Bus) note(outcome error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.mu.outcomes = append(b.mu.outcomes, outcome)
}
