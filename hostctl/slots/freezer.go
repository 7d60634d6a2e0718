package slots

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"lull/hostctl/coalesce"
)

// Freezer freezes and thaws all slots of a host on behalf of several holders. Its lock is a leaf.
type Freezer struct {
	hold   func(by Holder, frozen bool) []*Slot
	logger *slog.Logger
	wanted coalesce.Signal

	mu struct {
		sync.Mutex
		orders map[Holder]bool // that were not carried out yet
	}
}

// NewFreezer returns a freezer of a host's slots: hold is Set.Hold.
func NewFreezer(hold func(by Holder, frozen bool) []*Slot, logger *slog.Logger) *Freezer {
	f := &Freezer{hold: hold, logger: logger, wanted: coalesce.New()}
	f.mu.orders = make(map[Holder]bool)
	return f
}

// Set asks for all slots to be frozen, or thawed, on behalf of one holder. Run carries it out; the
// newest order of a holder counts. Set does not wait.
func (f *Freezer) Set(by Holder, frozen bool) {
	f.mu.Lock()
	f.mu.orders[by] = frozen
	f.mu.Unlock()
	f.wanted.Raise()
}

// freezePatience bounds the wait for processes to stop; the kernel goes on
// stopping them after that.
const freezePatience = 5 * time.Second

// Run carries out orders, one at a time, until ctx ends.
func (f *Freezer) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-f.wanted:
			for _, by := range []Holder{ByPool, ByGuard} {
				if frozen, ok := f.takeOrder(by); ok {
					f.apply(ctx, by, frozen)
				}
			}
		}
	}
}

// takeOrder removes a holder's order and returns it, if there is one.
func (f *Freezer) takeOrder(by Holder) (frozen, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	frozen, ok = f.mu.orders[by]
	delete(f.mu.orders, by)
	return frozen, ok
}

// apply freezes or thaws all slots at once, and waits for them.
func (f *Freezer) apply(ctx context.Context, by Holder, frozen bool) {
	ctx, stop := context.WithTimeout(ctx, freezePatience)
	defer stop()
	var all sync.WaitGroup
	for _, s := range f.hold(by, frozen) {
		all.Go(func() {
			if err := s.Freeze(ctx, by, frozen); err != nil {
				f.logger.Error("a slot cannot be stopped or continued", "slot", s.N, "frozen", frozen, "error", err)
			}
		})
	}
	all.Wait()
}
