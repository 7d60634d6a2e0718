package conformance

import (
	"testing"

	"lull/actors"
	"lull/actors/shell"
	"lull/subjects"
)

// hostConfig is the configuration of a host's shell.
func hostConfig(bus actors.Bus, host string) shell.Config {
	cfg := config(bus)
	cfg.Name, cfg.Partition, cfg.Anywhere, cfg.Lease = "hostctl", host, true, 0
	cfg.Filter, cfg.LedSubject = bus.Pool().OfHost(host), bus.Pool().Joined(host)
	cfg.Claim = func(instance string) subjects.Event { return &subjects.Joined{Host: host, Instance: instance} }
	return cfg
}

// hostsHoldNothing: neither the term of a host that never restarts nor the snapshot of
// one that never returns keeps entries in the log. A live host opens a new term before
// its next decision.
func hostsHoldNothing(t *testing.T, open Opener) {
	bus := open(t).Bus
	dead := actors.Snapshot{Created: logOf(t, bus).Created, Seq: 1}
	if err := bus.Save(t.Context(), actors.SnapshotName("hostctl", "dead", 0), dead); err != nil {
		t.Fatal(err)
	}
	quiet := start(t, hostConfig(bus, "quiet"))
	quiet.awaitLead()
	joined := quiet.terms()
	cfg := config(bus)
	cfg.SnapshotEvery, cfg.Keep, cfg.Trimmer = 10, 40, true
	h := start(t, cfg)
	h.awaitLead()
	sent := uint64(0)
	for ; sent < 10_000 && logOf(t, bus).First <= joined[0]; sent++ {
		appendEvents(t, bus, drain("a"))
		h.until("resumed", func(a *tally) bool { return a.state.Resumed > sent })
	}
	if first := logOf(t, bus).First; first <= joined[0] {
		t.Fatalf("the log begins at %d, want it behind the hosts' joins at %d", first, joined[0])
	}
	h.end()
	appendEvents(t, bus, drain("quiet"))
	quiet.until("the quiet host decides", func(a *tally) bool { return a.state.Resumed == 1 })
	quiet.end()
	if again := quiet.actor.terms; len(again) != 2 || again[1] < joined[0] {
		t.Errorf("terms = %v, want two, the second from %d on", again, joined[0])
	}
}

// terms are those in which the actor was stepped.
func (h *process) terms() (terms []uint64) {
	h.t.Helper()
	h.until("a term", func(a *tally) bool { terms = append([]uint64(nil), a.terms...); return len(terms) > 0 })
	return terms
}
