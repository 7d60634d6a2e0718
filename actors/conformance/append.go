package conformance

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"lull/actors"
	"lull/actors/faults"
	"lull/subjects"
)

var appendSuite = []Test{
	{"append/call lost", func(t *testing.T, open Opener) { lostOutcome(t, open, faults.LoseCall) }},
	{"append/acknowledgement lost", func(t *testing.T, open Opener) { lostOutcome(t, open, faults.LoseAck) }},
	{"append/batch arrives late", lateBatch},
	{"append/claim's acknowledgement lost", lostClaim},
	{"append/crash between any two effects", crashes},
	{"append/full log pauses and goes on", fullLog},
	{"append/large batches under load", batchGrowth},
	{"append/an event that is too large is refused, not retried", tooLarge},
	{"append/the actor learns of an event refused for good", refusedForGood},
	{"append/without batches events go out one by one", noOpenBatch},
	{"append/unknown outcomes back off", unknownOutcomes},
}

// lostOutcome: the outcome of a batch is unknown. A new term settles it.
func lostOutcome(t *testing.T, open Opener, how faults.How) {
	bus := open(t).Bus
	h := start(t, config(faults.Wrap(bus, faults.Fault{Op: faults.Append, Nth: 2, How: how})))
	h.awaitLead()
	appendEvents(t, bus, drain("a"), drain("b"))
	h.until("decided", func(a *tally) bool { return a.state.Resumed == 2 && len(a.terms) == 2 })
	appendEvents(t, bus, drain("c"))
	h.until("decided again", func(a *tally) bool { return a.state.Resumed == 3 })
	h.end()
	h.checkReplay(3)
}

// lateBatch: the batch reaches the server after the new term's Led, and is refused.
func lateBatch(t *testing.T, open Opener) {
	bus := open(t).Bus
	slow := faults.Wrap(bus, faults.Fault{Op: faults.Append, Nth: 2, How: faults.Late})
	h := start(t, config(slow))
	h.awaitLead()
	appendEvents(t, bus, drain("a"))
	h.until("decided", func(a *tally) bool { return a.state.Resumed == 1 })
	h.end()
	h.checkReplay(1)
	if refused(slow) != 1 {
		t.Errorf("outcomes = %v, want the late batch refused once", slow.Outcomes())
	}
}

func lostClaim(t *testing.T, open Opener) {
	bus := open(t).Bus
	h := start(t, config(faults.Wrap(bus, faults.Fault{Op: faults.Append, Nth: 1, How: faults.LoseAck})))
	appendEvents(t, bus, drain("a"))
	h.until("decided", func(a *tally) bool { return a.state.Resumed == 1 })
	h.end()
	h.checkReplay(1)
}

// crashes kills the shell after its first, second, … effect, until a run ends
// without. Each time the next instance finds everything decided once.
func crashes(t *testing.T, open Opener) {
	for nth := 1; !crash(t, open(t), nth); nth++ {
		if t.Failed() {
			t.Fatalf("crash behind effect %d: want the checks above to hold", nth)
		}
	}
}

func crash(t *testing.T, f Fixture, nth int) (survived bool) {
	for i := range 3 {
		appendEvents(t, f.Bus, drain(fmt.Sprintf("h%d", i)))
		send(t, f, actors.Delivery{Subject: f.Bus.Pool().Submit(), Reply: "verdicts", Body: fmt.Appendf(nil, "j%d", i)})
	}
	bus := faults.Wrap(f.Bus, faults.Fault{Op: faults.Any, Nth: nth, How: faults.Crash})
	cfg := config(bus)
	cfg.Lease, cfg.SnapshotEvery = 0, 2
	first := start(t, cfg)
	select {
	case <-bus.Crashed():
	case <-first.settled():
		survived = true
	}
	first.kill()
	cfg.Bus = f.Bus
	second := start(t, cfg)
	second.until("everything is decided", complete)
	second.awaitLead()
	second.end()
	second.checkReplay(3)
	return survived
}

func complete(a *tally) bool { return a.state.Resumed == 3 && len(a.state.Jobs) == 3 }

// settled is closed when the first run is complete, without failing before.
func (h *process) settled() <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		for met := false; !met; {
			if h.shell.Inspect(h.t.Context(), func(actors.Actor) { met = complete(h.actor) }) != nil {
				return
			}
			if !met {
				select {
				case <-h.actor.stepped:
				case <-h.shell.Done():
				}
			}
		}
	}()
	return done
}

func fullLog(t *testing.T, open Opener) {
	f := open(t)
	h := start(t, config(f.Bus))
	h.awaitLead()
	f.Full(true)
	for _, job := range []string{"a", "b", "c"} {
		send(t, f, actors.Delivery{Subject: f.Bus.Pool().Submit(), Body: []byte(job)})
	}
	h.until("it says so", func(*tally) bool {
		err := h.shell.Healthy()
		return err != nil && strings.Contains(err.Error(), "no room")
	})
	f.Full(false)
	h.until("it goes on", func(a *tally) bool { return len(a.state.Jobs) == 3 })
	h.until("it is well", func(*tally) bool { return h.shell.Healthy() == nil })
	h.end()
	h.checkReplay(0)
}

// batchGrowth: one batch in flight makes batches grow, and nothing is lost.
func batchGrowth(t *testing.T, open Opener) {
	const n = 3000
	bus := open(t).Bus
	h := start(t, config(bus))
	h.awaitLead()
	for i := 0; i < n; i += 100 {
		batch := encode(t, bus)
		for j := range 100 {
			batch = append(batch, encode(t, bus, drain(fmt.Sprintf("h%d", i+j)))...)
		}
		if _, err := bus.Append(t.Context(), batch, actors.Fence{}); err != nil {
			t.Fatal(err)
		}
	}
	h.until("all resumed", func(a *tally) bool { return a.state.Resumed == n })
	h.end()
	h.checkReplay(n)
}

// tooLarge: a batch with an event that is too large is not appended. The shell reports that event
// to its actor, which goes on with its other decisions.
func tooLarge(t *testing.T, open Opener) {
	bus := open(t).Bus
	huge := subjects.Message{Subject: bus.Pool().Led("tally", "x"), Body: make([]byte, bus.MaxMessage()+1)}
	batch := append(encode(t, bus, drain("a")), huge, encode(t, bus, drain("b"))[0])
	if _, err := bus.Append(t.Context(), batch, actors.Fence{}); !errors.Is(err, actors.ErrRefused) {
		t.Errorf("a batch with an event that is too large: %v, want ErrRefused", err)
	}
	if info, err := bus.Log(t.Context()); err != nil || info.Last != 0 {
		t.Errorf("Log() = last %d, %v, want 0", info.Last, err)
	}
	h := prepare(t, config(bus))
	h.actor.large = true
	h.run()
	appendEvents(t, bus, drain("a"))
	h.until("the actor goes on", func(a *tally) bool { return a.state.Resumed == 1 })
	h.end()
	h.checkRefusedOnce()
}

// refusedForGood: the server refuses a batch, and then its first event alone. The
// shell reports that event to the actor and appends all others.
func refusedForGood(t *testing.T, open Opener) {
	bus := open(t).Bus
	slow := faults.Wrap(bus, faults.Fault{Op: faults.Append, Nth: 2, How: faults.RefuseForGood},
		faults.Fault{Op: faults.Append, Nth: 3, How: faults.RefuseForGood})
	h := prepare(t, config(slow))
	appendEvents(t, bus, drain("a"), drain("b"), drain("c"))
	h.run()
	h.until("all others are decided", func(a *tally) bool { return a.state.Resumed == 2 })
	h.end()
	h.checkRefusedOnce()
}

// checkRefusedOnce checks that one decision was refused, within a single term.
func (h *process) checkRefusedOnce() {
	h.t.Helper()
	if n, terms := len(h.actor.refused), len(h.actor.terms); n != 1 || terms != 1 {
		h.t.Errorf("%d refusals in %d terms, want 1 in 1", n, terms)
	}
}

func noOpenBatch(t *testing.T, open Opener) {
	bus := open(t).Bus
	slow := faults.Wrap(bus, faults.Fault{Op: faults.Append, Nth: 2, How: faults.Crowd})
	h := prepare(t, config(slow))
	appendEvents(t, bus, drain("a"), drain("b"), drain("c"))
	h.run()
	h.until("decided", func(a *tally) bool { return a.state.Resumed == 3 })
	if err := h.shell.Healthy(); err == nil || !strings.Contains(err.Error(), "too many open batches") {
		t.Errorf("Healthy() = %v, want an error on open batches", err)
	}
	h.end()
	h.checkReplay(3)
	if outcomes := slow.Outcomes(); len(outcomes) != 4 || len(h.actor.terms) != 1 {
		t.Errorf("%d appends in %d terms, want a claim and three single events in one term", len(outcomes), len(h.actor.terms))
	}
}

// unknownOutcomes: while a server acknowledges no batch, new terms come at growing
// intervals.
func unknownOutcomes(t *testing.T, open Opener) {
	const n = 6
	bus := open(t).Bus
	var lost []faults.Fault
	for i := range n { // every batch, but no claim
		lost = append(lost, faults.Fault{Op: faults.Append, Nth: 2 + 2*i, How: faults.LoseCall})
	}
	h := prepare(t, config(faults.Wrap(bus, lost...)))
	appendEvents(t, bus, drain("a"))
	begin := time.Now()
	h.run()
	h.until("decided", func(a *tally) bool { return a.state.Resumed == 1 })
	h.end()
	h.checkReplay(1)
	if took, least := time.Since(begin), 600*time.Millisecond; took < least {
		t.Errorf("%d terms in %v, want at least %v, with pauses between them", n+1, took, least)
	}
}
