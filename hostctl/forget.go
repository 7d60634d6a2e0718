package hostctl

import (
	"os"

	"lull/hostctl/actor"
)

func (a *Agent) kill(k actor.Kill) {
	if r := a.run(k.Attempt); r != nil {
		r.cancel(eviction{k.Reason, k.AtOnce})
	}
}

// forget lets the shim forget an end that stands in the log.
func (a *Agent) forget(f actor.Forget) {
	a.mu.Lock()
	r := a.mu.runs[f.Attempt]
	delete(a.mu.runs, f.Attempt)
	a.mu.Unlock()
	if r != nil {
		r.slot.Ack(f.Attempt)
		return
	}
	// An earlier agent's, or one that was refused.
	r = a.newRun(f.Task)
	if _, err := os.Lstat(r.folder.Path); err == nil {
		a.work.Go(func() { a.tidy(r, f.Committed) })
	}
}

func (a *Agent) tidy(r *run, committed bool) {
	r.folder.Hold()
	a.clear(r, committed)
}

func (a *Agent) clear(r *run, committed bool) {
	a.bequeath(r)
	if err := r.folder.Clear(committed); err != nil {
		a.cfg.Logger.Warn("an attempt's folder is not tidied up", "attempt", r.Attempt, "error", err)
	}
}
