package conformance

import (
	"errors"
	"testing"

	"lull/actors"
	"lull/actors/faults"
)

var leadSuite = []Test{
	{"lead/two leaders", twoLeaders},
	{"lead/takes over", takesOver},
	{"lead/stale leader wakes", staleLeader},
	{"lead/replaced without a lease", replaced},
}

// twoLeaders: the second stands by and folds, and does not write.
func twoLeaders(t *testing.T, open Opener) {
	bus := open(t).Bus
	first := start(t, config(bus))
	first.awaitLead()
	second := start(t, config(bus))
	appendEvents(t, bus, drain("a"))
	folded := func(a *tally) bool { return a.state.Resumed == 1 }
	first.until("first folds", folded)
	second.until("second folds", folded)
	if second.shell.Leading() || !first.shell.Leading() {
		t.Errorf("first leads %v, second %v, want true, false", first.shell.Leading(), second.shell.Leading())
	}
	if err := second.shell.Healthy(); err != nil {
		t.Errorf("Healthy() of a standby = %v, want no error", err)
	}
	first.end()
	first.checkReplay(1)
}

// takesOver: when the leader leaves, the standby decides what is missing.
func takesOver(t *testing.T, open Opener) {
	bus := open(t).Bus
	first := start(t, config(bus))
	first.awaitLead()
	second := start(t, config(bus))
	first.end()
	appendEvents(t, bus, drain("a"))
	second.until("the standby decides", func(a *tally) bool { return a.state.Resumed == 1 })
}

// staleLeader: it is stopped, another one takes over, it wakes, still sure of
// its lease, and decides before it reads. The log does not take it.
func staleLeader(t *testing.T, open Opener) {
	bus := open(t).Bus
	asleep := faults.Wrap(bus)
	asleep.HoldsLease = true
	stale := start(t, config(asleep))
	stale.awaitLead()
	asleep.Stall()
	next := start(t, config(bus))
	next.awaitLead()
	stale.shell.Report(resumeAgain("nobody"))
	stale.until("the batch is refused", func(*tally) bool { return refused(asleep) > 0 && !stale.shell.Leading() })
	stale.shell.Report(nil)
	appendEvents(t, bus, drain("a"))
	next.until("the new leader decides", func(a *tally) bool { return a.state.Resumed == 1 })
	next.end()
	next.checkReplay(1)
}

func refused(bus *faults.Bus) (n int) {
	for _, err := range bus.Outcomes() {
		if errors.Is(err, actors.ErrFenced) {
			n++
		}
	}
	return n
}

// replaced: a partition without a lease has one candidate. A second one with
// the same name takes it over, and the first ends instead of fighting back.
func replaced(t *testing.T, open Opener) {
	bus := open(t).Bus
	cfg := config(bus)
	cfg.Lease = 0
	first := start(t, cfg)
	first.awaitLead()
	second := start(t, cfg)
	if err := <-first.done; !errors.Is(err, actors.ErrReplaced) {
		t.Errorf("end of the first = %v, want ErrReplaced", err)
	}
	second.awaitLead()
}
