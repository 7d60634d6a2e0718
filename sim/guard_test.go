package sim

import (
	"testing"
	"time"

	"lull/hostctl/guard"
	"lull/subjects"
)

// guarded is a host of four cores with a primary on one of them, a dedicated host of one
// core, and a job of forty tasks.
func guarded(waits Waits) Scenario {
	return Scenario{
		Seed: 1, Types: []Truth{flat("pi", 20)},
		Hosts: []Host{{Name: "tenant", Cores: 4, Load: Steady(1), Waits: waits}, {Name: "own", Cores: 1}},
		Jobs:  []Job{{At: time.Minute, Spec: work("pi", 40)}},
	}
}

// delayed is the seconds for which the primary of a scenario's first host waited, per CPU
// second of its own, over the whole run.
func delayed(t *testing.T, s Scenario) (r *Result, delay float64) {
	var h *host
	r = finish(t, withPlan(s, func(w *World) { w.At(time.Second, func() { h = w.byHost["tenant"] }) }))
	return r, h.guard.waits.Delayed / h.guard.waits.Ran
}

// Where fewer cores keep the budget, batch work has fewer and nothing ends for it.
func TestTheGuardTakesCoresWhereThatSuffices(t *testing.T) {
	waits := func(primary, batch float64) float64 { return primary * max(batch-1, 0) }
	r, delay := delayed(t, guarded(waits))
	if without := waits(1, 3); delay > without/4 {
		t.Errorf("wait of the primary = %v s per CPU second, want at most a quarter of the %v without a guard", delay, without)
	}
	for _, run := range r.Runs {
		if run.Outcome != "committed" {
			t.Errorf("outcome of task %d on %s = %s, want committed", run.Task, run.Host, run.Outcome)
		}
	}
}

// Where fewer cores help and do not suffice, tasks stand still, and at last one after the other
// ends there and runs elsewhere.
func TestTheGuardEvictsWhereFewerCoresDoNotSuffice(t *testing.T) {
	evicted := 0
	s := guarded(func(primary, batch float64) float64 { return 0.6 * primary * batch })
	s.Watch = func(_ time.Duration, _ uint64, e subjects.Event) {
		if e, ok := e.(*subjects.Evicted); ok && e.Host == "tenant" && e.Reason == subjects.ReasonReserve {
			evicted++
		}
	}
	_, delay := delayed(t, s)
	if evicted == 0 {
		t.Error("tasks evicted for the primary's reserve = 0, want at least 1")
	}
	if delay > guard.DefaultBudget {
		t.Errorf("wait of the primary = %v s per CPU second, want at most its budget of %v", delay, guard.DefaultBudget)
	}
}

// A primary that waits for nothing leaves the guard nothing to do.
func TestAGuardWithNothingToDoChangesNothing(t *testing.T) {
	none, calm := finish(t, guarded(nil)), finish(t, guarded(func(_, _ float64) float64 { return 0 }))
	if none.Digest != calm.Digest {
		t.Errorf("digest with a guard that has nothing to do = %x, want %x, as without a guard", calm.Digest, none.Digest)
	}
}
