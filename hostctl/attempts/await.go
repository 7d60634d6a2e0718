package attempts

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"lull/hostctl/actor"
	"lull/hostctl/shim"
	"lull/subjects"
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
	reason := x.endReason()
	grace := x.grace(usualGrace(x, reason))
	x.killAsked = true
	if err := x.slot.Kill(context.Background(), x.Attempt, grace, stopReason(x, reason)); err != nil {
		x.cfg.Logger.Warn("the shim did not take the order to end a task", "attempt", x.Attempt, "error", err)
	}
	if grace == 0 {
		x.emptySlot()
	}
	return grace
}

// stopReason is what the task is told.
func stopReason(x *execution, reason string) string {
	if x.cfg.OneJob && reason == subjects.ReasonPaused {
		return subjects.StopCancel
	}
	return subjects.StopReason(reason)
}

// stageGrace is the grace that the attempt's stage asks for.
func stageGrace(x *execution) time.Duration {
	if x.doc == nil {
		return x.cfg.Grace
	}
	return cmp.Or(x.stage().Grace, x.cfg.Grace)
}

// usualGrace is how long the attempt may take to end for a reason if nothing is urgent.
func usualGrace(x *execution, reason string) time.Duration {
	grace, most := stageGrace(x), x.cfg.EvictionGrace
	own := reason == subjects.ReasonRevoked || x.cfg.OneJob && reason == subjects.ReasonPaused
	if own || most == 0 {
		return grace // the user's own wish
	}
	return max(min(grace, most), 0)
}

// LongestGrace is the longest grace that a runner's attempts with a process ask for.
func LongestGrace(a *Runner) (most time.Duration) {
	for _, r := range a.table.withProcess() {
		r.mu.Lock()
		most = max(most, cmp.Or(r.mu.grace, a.cfg.Grace))
		r.mu.Unlock()
	}
	return most
}

// killPatience is how long a shim has to end a task after its grace.
const killPatience = 3 * time.Second

// emptySlot empties the slot without its shim's help.
func (x *execution) emptySlot() {
	ctx, stop := context.WithTimeout(context.Background(), killPatience)
	defer stop()
	if err := x.slot.Clear(ctx); err != nil {
		noteLate(x, err)
	}
}

// noteLate logs that processes outlive their SIGKILL: they need some CPU to end, or wait for a disk. The
// agent tries on, and does not repeat itself.
func noteLate(x *execution, err error) {
	level := slog.LevelWarn
	if x.lateNoted {
		level = slog.LevelDebug
	}
	x.lateNoted = true
	x.cfg.Logger.Log(context.Background(), level, "a killed task has not ended yet: it waits for CPU, or in the kernel; its slot stays taken until then",
		"attempt", x.Attempt, "slot", x.Slot, "error", err)
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
