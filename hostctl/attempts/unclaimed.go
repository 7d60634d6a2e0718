package attempts

import (
	"context"

	"lull/hostctl/slots"
	"lull/subjects"
)

// EvictUnclaimed ends the youngest attempt of an earlier agent that the log has not named yet, to
// protect the primary. It reports whether there was one. The end is reported once the log has named
// the attempt.
func (a *Runner) EvictUnclaimed() bool {
	youngest, s, ok := a.table.evictYoungestFound()
	if ok {
		a.work.Go(func() { a.endUnclaimed(youngest, s) })
	}
	return ok
}

// endUnclaimed ends an attempt without grace. Its shim keeps how it ended.
func (a *Runner) endUnclaimed(attempt uint64, s *slots.Slot) {
	ctx, stop := context.WithTimeout(context.Background(), killPatience)
	defer stop()
	a.cfg.Logger.Warn("a task of an earlier agent is evicted before the agent has read of it in the log", "attempt", attempt, "reason", subjects.ReasonReserve)
	if err := s.Kill(ctx, attempt, 0, ""); err != nil {
		a.cfg.Logger.Warn("the shim did not take the order to end a task", "attempt", attempt, "error", err)
	}
}
