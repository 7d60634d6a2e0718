package flow

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestAFlowLeavesACommonLess: a flow by itself, which its own link stops first, takes of a common's
// link. The common's flow has the rest of that, though alone it would fill another link first.
func TestAFlowLeavesACommonLess(t *testing.T) {
	var s Sharing
	thin, shared, wide, first := s.Link(10), s.Link(22.5), s.Link(5.75), s.Link(10)
	for range 6 {
		s.Link(1) // so many links that, once few flows rise, only theirs are looked at
	}
	s.Common()
	s.LoadCommon(shared, 0.25)
	s.LoadCommon(first, 0.5)
	member := s.Flow(1)
	s.Join(0, 1)
	s.Load(wide, 0.5)
	alone := s.Flow(1)
	s.Load(thin, 1)
	s.Load(shared, 1.96875)
	for link := 4; link < 10; link++ {
		s.Load(link, 0.01)
	}
	s.Fill()
	if a, b := s.Rate(alone), s.Rate(member); a != 10 || math.Abs(b-11.25) > 1e-9 {
		t.Errorf("%v and %v, want 10 and 11.25", a, b)
	}
}

// TestCommonsAreTheirLoads compares flows that take part in commons, without what they take back, with
// the same flows when each names all its loads.
func TestCommonsAreTheirLoads(t *testing.T) {
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 3))
		var short, long Sharing
		links := 2 + rng.IntN(12)
		for range links {
			c := 1 + 100*rng.Float64()
			short.Link(c)
			long.Link(c)
		}
		vectors := make([][]float64, 1+rng.IntN(3))
		for i := range vectors {
			short.Common()
			vectors[i] = make([]float64, links)
			for l := range links {
				if rng.IntN(3) > 0 {
					vectors[i][l] = rng.Float64()
					short.LoadCommon(l, vectors[i][l])
				}
			}
		}
		n := 1 + rng.IntN(30)
		for range n {
			f := short.Flow(float64(1 + rng.IntN(8)))
			long.Flow(short.flows[f].weight)
			loads, per := make([]float64, links), 0.1+rng.Float64()
			if c := rng.IntN(len(vectors) + 1); c < len(vectors) {
				short.Join(c, per)
				for l, v := range vectors[c] {
					loads[l] = per * v
				}
				back := rng.IntN(links)
				short.Load(back, -loads[back])
				loads[back] = 0
			} else {
				loads[rng.IntN(links)] = per
				for l, v := range loads {
					short.Load(l, v)
				}
			}
			for l, v := range loads {
				long.Load(l, v)
			}
			if rng.IntN(6) == 0 {
				short.Remove(f)
				long.Remove(f)
			}
		}
		short.Fill()
		long.Fill()
		for f := range n {
			if a, b := short.Rate(f), long.Rate(f); a != b && !(math.Abs(a-b) <= 1e-8*b) {
				t.Fatalf("seed %d: flow %d has %v, want %v", seed, f, a, b)
			}
		}
	}
}
