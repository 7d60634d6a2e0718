package slotter

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lull/actors"
	"lull/slotter/facts"
	"lull/subjects"
)

// bytesOf is a step's output as bytes, to compare.
func bytesOf(t *rapid.T, out actors.Output) []byte {
	b := []byte(out.Wake.String())
	for _, e := range out.Events {
		m, err := subjects.Encode(subjects.DefaultPool, e)
		if err != nil {
			t.Fatalf("Encode(%T) = %v, want no error", e, err)
		}
		b = append(append(b, m.Subject...), m.Body...)
	}
	return b
}

// hearAll gives an actor the same fresh telemetry of every host.
func hearAll(a *Actor, p *pool) {
	for _, h := range p.a.facts.Ledger.Hosts() {
		a.Step(actors.Input{Now: p.now, Sample: &subjects.Usage{Host: h.Name, Idle: p.a.facts.Hosts.Of[h.Name].Idle}})
		a.Step(actors.Input{Now: p.now, Sample: &subjects.Beat{Host: h.Name, Term: h.Term, Seq: 1}})
	}
}

func TestTheSameInputsGiveTheSameBytes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		seed := rapid.Uint64().Draw(rt, "seed")
		run := func() (all []byte) {
			rng := rand.New(rand.NewPCG(seed, 0))
			p := randomPool(t, rng, allPolicies[rng.IntN(len(allPolicies))])
			for range 8 {
				events := p.decide()
				all = append(all, bytesOf(rt, actors.Output{Events: events})...)
				p.say(events...)
				p.live(rng)
			}
			return append(all, snapshotOf(rt, p.a)...)
		}
		if !bytes.Equal(run(), run()) {
			rt.Fatal("two runs differ")
		}
	})
}

func snapshotOf(t *rapid.T, a *Actor) []byte {
	b, err := a.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestARestoredSlotterDecidesAsIfItHadNotStopped(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
		p := randomPool(t, rng, allPolicies[rng.IntN(len(allPolicies))])
		for range 1 + rng.IntN(8) {
			p.turn()
			p.live(rng)
		}
		restored, err := New(p.a.facts.Config)
		if err != nil {
			rt.Fatal(err)
		}
		if err := restored.Restore(snapshotOf(rt, p.a)); err != nil {
			rt.Fatal(err)
		}
		// What waits in memory alone comes again: telemetry, and looks that are due.
		p.now = p.now.Add(time.Second)
		hearAll(p.a, p)
		hearAll(restored, p)
		p.a.facts.Due = facts.Everything
		for turn := range 6 {
			in := actors.Input{Now: p.now, Decide: true}
			out, again := p.a.Step(in), restored.Step(in)
			if !bytes.Equal(bytesOf(rt, out), bytesOf(rt, again)) {
				rt.Fatalf("turn %d: one decides\n%s\nthe restored one\n%s", turn, describe(out.Events), describe(again.Events))
			}
			for _, e := range out.Events {
				p.seq++
				entry := actors.Input{Now: p.now, Entry: &actors.Entry{Seq: p.seq, Time: p.now, Event: e}}
				p.a.Step(entry)
				restored.Step(entry)
			}
		}
		if !bytes.Equal(snapshotOf(rt, p.a), snapshotOf(rt, restored)) {
			rt.Fatal("the snapshots differ")
		}
	})
}

func TestRestoreRefusesDamage(t *testing.T) {
	p := newPool(t, Config{})
	for _, b := range [][]byte{nil, {0xc1}, []byte("no snapshot"), {0x80}} {
		if err := p.a.Restore(b); err == nil {
			t.Errorf("Restore(% x) = nil, want an error", b)
		}
	}
}
