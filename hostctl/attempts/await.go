package attempts

import (
	"context"
	"time"

	"lull/hostctl/actor"
	"lull/hostctl/shim"
)

// awaitEnd waits for the end of an attempt that the shim has, and returns the shim's last event; nil
// if the shim itself is gone.
func (x *execution) awaitEnd(events <-chan shim.Event) (shim.Event, error) {
	cancelled := x.ctx.Done()
	var overdue <-chan time.Time
	for {
		select {
		case e, ok := <-events:
			if !ok {
				return nil, nil
			}
			if started, ok := e.(*shim.Started); ok {
				x.reportRunning(started.Start)
				continue
			}
			return e, nil
		case <-cancelled:
			cancelled = nil
			overdue = time.After(x.endTask() + killPatience)
		case <-x.urgencyRaised:
			overdue = time.After(x.endTask() + killPatience)
		case <-overdue:
			x.emptySlot()
			overdue = time.After(killPatience)
		case <-x.agentGone:
			return nil, errTaskStays
		}
	}
}

// endTask asks the shim to end the attempt, and returns the grace that it has. Without grace the
// slot is emptied at once: the primary needs the resource now.
func (x *execution) endTask() time.Duration {
	grace := x.grace(x.cfg.Grace)
	x.killAsked = true
	if err := x.slot.Kill(context.Background(), x.Attempt, grace); err != nil {
		x.cfg.Logger.Warn("the shim did not take the order to end a task", "attempt", x.Attempt, "error", err)
	}
	if grace == 0 {
		x.emptySlot()
	}
	return grace
}

// killPatience is how long a shim has to end a task after its grace.
const killPatience = 3 * time.Second

// emptySlot empties the slot without its shim's help.
func (x *execution) emptySlot() {
	ctx, stop := context.WithTimeout(context.Background(), killPatience)
	defer stop()
	if err := x.slot.Clear(ctx); err != nil {
		x.cfg.Logger.Error("a task does not end", "attempt", x.Attempt, "slot", x.Slot, "error", err)
	}
}

// reportRunning notes and reports that the attempt's process runs.
func (x *execution) reportRunning(at int64) {
	running := actor.Running{Attempt: x.Attempt, At: at, Trace: x.trace()}
	x.setRunning(running)
	x.cfg.Began()
	x.cfg.Report(running)
}

// trace is the trace context of the job, "" if its document is not known.
func (x *execution) trace() string {
	if x.doc == nil {
		return ""
	}
	return x.doc.Trace
}
