package poll

import (
	"context"
	"errors"
	"time"

	"lull/test/steal"
)

// ErrChance is the cause for which a Chance ends.
var ErrChance = errors.New("tasks had their chance: the CPU was idle for as long as the test waits")

// look is the time between two looks at how idle the machine is.
const look = time.Second

// Chance returns a context that ends after a time of patience in which each second counts by the
// share of the machine's CPU that was idle. Tasks are in the idle class: beside work that takes all
// the CPU they wait, for however long that is, and a test that waits for them has to, too.
func Chance(ctx context.Context, patience time.Duration) (context.Context, context.CancelFunc) {
	return chance(ctx, patience, read)
}

func chance(ctx context.Context, patience time.Duration, read func() steal.Ticks) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		tick := time.NewTicker(look)
		defer tick.Stop()
		left, before := patience.Seconds(), read()
		for left > 0 {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			now := read()
			left -= look.Seconds() * now.IdleSince(before)
			before = now
		}
		cancel(ErrChance)
	}()
	return ctx, func() { cancel(context.Canceled) }
}

// read reads the machine's counters. Where there are none, the machine counts as idle.
func read() steal.Ticks {
	t, err := steal.Read()
	if err != nil {
		now := uint64(time.Now().UnixNano())
		return steal.Ticks{Idle: now, All: now}
	}
	return t
}
