package slotter

import (
	"math/rand/v2"
	"slices"
	"testing"

	"lull/subjects"
	"lull/subjects/spec"
)

// Whatever mix of tasks waits, no slot is given away twice, and no part of a slot: what is assigned is
// what the ledger accepts. Once nothing is assigned any more, no small task waits beside room for it.
func TestPartsOfSlotsAreNeverOversubscribed(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 60 {
		policy := Policies()[rng.IntN(len(Policies()))]
		p := newPool(t, Config{Policy: policy, Rivals: -1})
		for i := range 1 + rng.IntN(3) {
			slots := uint32(1 + rng.IntN(4))
			p.joinAhead(string(rune('a'+i)), slots, uint32(rng.IntN(2))*4*slots, 1000, float64(slots))
		}
		for i := range 1 + rng.IntN(5) {
			st := tasks("one", uint32(1+rng.IntN(12)))
			cores := spec.Cores([]int{1000, 500, 250, 333, 100, 2000, 1500, 900}[rng.IntN(8)])
			st.CPU, st.Part = cores.Slots(), cores.Part()
			p.submit(string(rune('j'+i)), 0, st)
		}
		for range 20 {
			for _, e := range p.settle() {
				a, ok := e.(*subjects.Assigned)
				if !ok {
					continue
				}
				if h := p.a.State().Host(a.Host); !slices.Contains(h.Places(), 0) && h.Load() > spec.Cores(h.Joined.Slots)*spec.Core {
					t.Fatalf("seed %d: load of host %s = %v, want at most its slots", seed, a.Host, h.Load())
				}
			}
			if what := p.unused(); what != "" {
				t.Fatalf("seed %d, %s: %s, want no room unused", seed, policy, what)
			}
			if !p.endSome(rng) {
				break
			}
			p.pass(1)
		}
	}
}

// endSome ends a third of what runs, and reports whether anything did.
func (p *pool) endSome(rng *rand.Rand) (ran bool) {
	for _, h := range p.a.State().Hosts() {
		for _, at := range slices.Clone(h.Attempts()) {
			if ran = true; rng.IntN(3) == 0 {
				p.say(done(at, 10))
			}
		}
	}
	return ran
}

// unused is room for a small task in a pool where only such tasks wait, "" if there is none. For larger
// ones a host may be kept free.
func (p *pool) unused() string {
	least := spec.Cores(0)
	for j := range p.a.State().LiveJobs().All() {
		if j.Live() && j.Stages[0].Waiting() > 0 {
			cores := j.Shape.Stages[0].Cores()
			if cores >= spec.Core || least != 0 && cores != least {
				return ""
			}
			least = cores
		}
	}
	for _, h := range p.a.State().Hosts() {
		for i := range h.Joined.Slots {
			if least > 0 && h.UsedCores(i)+least <= spec.Core {
				return "a task of " + least.String() + " cores waits beside room on host " + h.Name
			}
		}
	}
	return ""
}
