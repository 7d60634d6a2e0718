package hostctl

import (
	"context"
	"sync"
	"time"
)

// wish asks for all tasks to be frozen or thawed; the newest wish counts.
func (a *Agent) wish(frozen bool) {
	for {
		select {
		case a.freeze <- frozen:
			return
		default:
		}
		select {
		case <-a.freeze:
		default:
		}
	}
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
		case frozen := <-a.freeze:
			a.gate(ctx, frozen)
		}
	}
}

func (a *Agent) gate(ctx context.Context, frozen bool) {
	ctx, stop := context.WithTimeout(ctx, freezePatience)
	defer stop()
	var all sync.WaitGroup
	for _, s := range a.slots {
		all.Go(func() {
			if err := s.freeze(ctx, byPool, frozen); err != nil {
				a.cfg.Logger.Error("a slot cannot be stopped or continued", "slot", s.n, "frozen", frozen, "error", err)
			}
		})
	}
	all.Wait()
}
