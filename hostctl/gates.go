package hostctl

import (
	"context"
	"sync"
	"time"

	"lull/hostctl/slots"
)

// wish asks, on somebody's behalf, for all tasks to be frozen or thawed; the
// newest wish of each counts.
func (a *Agent) wish(by slots.Holder, frozen bool) {
	a.mu.Lock()
	a.mu.wishes[by] = frozen
	a.mu.Unlock()
	notify(a.freeze)
}

// freezePatience bounds the wait for processes to stop; the kernel goes on
// stopping them after that.
const freezePatience = 5 * time.Second

// gates carries out wishes, one at a time.
func (a *Agent) gates(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-a.freeze:
			for _, by := range []slots.Holder{slots.ByPool, slots.ByGuard} {
				if frozen, ok := a.wished(by); ok {
					a.gate(ctx, by, frozen)
				}
			}
		}
	}
}

// wished takes a wish that was not carried out yet.
func (a *Agent) wished(by slots.Holder) (frozen, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	frozen, ok = a.mu.wishes[by]
	delete(a.mu.wishes, by)
	return frozen, ok
}

func (a *Agent) gate(ctx context.Context, by slots.Holder, frozen bool) {
	ctx, stop := context.WithTimeout(ctx, freezePatience)
	defer stop()
	var all sync.WaitGroup
	for _, s := range a.slots {
		all.Go(func() {
			if err := s.Freeze(ctx, by, frozen); err != nil {
				a.cfg.Logger.Error("a slot cannot be stopped or continued", "slot", s.N, "frozen", frozen, "error", err)
			}
		})
	}
	all.Wait()
}
