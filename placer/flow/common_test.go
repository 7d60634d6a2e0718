package flow

import (
	"math"
	"math/rand/v2"
	"testing"
)

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
