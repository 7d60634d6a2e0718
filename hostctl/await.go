package hostctl

import (
	"context"
	"errors"
	"time"

	"lull/hostctl/shim"
)

// await waits for the end of an attempt that the shim was told of.
func (a *Agent) await(r *run, events <-chan shim.Event, trace string) (shim.Event, error) {
	cancelled := r.ctx.Done()
	var overdue <-chan time.Time
	for {
		select {
		case e, ok := <-events:
			if !ok {
				return nil, nil
			}
			if started, ok := e.(*shim.Started); ok {
				a.began(r, started.Start, trace)
				continue
			}
			return e, nil
		case <-cancelled:
			cancelled = nil
			overdue = time.After(a.end(r) + killPatience)
		case <-overdue:
			a.force(r)
			overdue = time.After(killPatience)
		case <-r.left:
			return nil, errStays
		}
	}
}

// end tells the shim to end an attempt and returns the grace that it has. Without
// grace nobody waits for the shim: what is short is short now.
func (a *Agent) end(r *run) time.Duration {
	grace := a.cfg.Grace
	var cause eviction
	if errors.As(context.Cause(r.ctx), &cause) && cause.atOnce {
		grace = 0
	}
	if err := r.slot.Kill(context.Background(), r.Attempt, grace); err != nil {
		a.cfg.Logger.Warn("a task cannot be told to end", "attempt", r.Attempt, "error", err)
	}
	if grace == 0 {
		a.force(r)
	}
	return grace
}

// killPatience is how long a shim has to end a task after its grace.
const killPatience = 3 * time.Second

// force empties the slot without its shim's help.
func (a *Agent) force(r *run) {
	ctx, stop := context.WithTimeout(context.Background(), killPatience)
	defer stop()
	if err := r.slot.Clear(ctx); err != nil {
		a.cfg.Logger.Error("a task does not end", "attempt", r.Attempt, "slot", r.Slot, "error", err)
	}
}
