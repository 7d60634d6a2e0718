package hostctl

import (
	"context"

	"lull/hostctl/slots"
	"lull/subjects"
)

// What an earlier agent began runs on, and is guarded from the moment that this one has
// found it. The log may be long in coming: until it has said whose an attempt is, the
// host's actor knows nothing of it and could not evict it.

// unclaimed is how many tasks run that the log has not named yet.
func (a *Agent) unclaimed() (n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, f := range a.mu.found {
		if f.running != nil && !f.evicted {
			n++
		}
	}
	return n
}

// evictUnclaimed ends the youngest of them for the primary's sake, and reports whether
// there was one. The log hears of it when it names the attempt.
func (a *Agent) evictUnclaimed() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	youngest := uint64(0)
	for id, f := range a.mu.found {
		if f.running != nil && !f.evicted {
			youngest = max(youngest, id)
		}
	}
	f := a.mu.found[youngest]
	if f == nil {
		return false
	}
	f.evicted = true
	a.work.Go(func() { a.endUnclaimed(youngest, f.slot) })
	return true
}

// endUnclaimed ends an attempt without grace. Its shim keeps how it ended.
func (a *Agent) endUnclaimed(attempt uint64, s *slots.Slot) {
	ctx, stop := context.WithTimeout(context.Background(), killPatience)
	defer stop()
	a.cfg.Logger.Warn("a task of an earlier agent is evicted before the log has named it", "attempt", attempt, "reason", subjects.ReasonReserve)
	if err := s.Kill(ctx, attempt, 0); err != nil {
		a.cfg.Logger.Warn("a task cannot be told to end", "attempt", attempt, "error", err)
	}
}
