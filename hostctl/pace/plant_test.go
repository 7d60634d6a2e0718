package pace

import (
	"math/rand/v2"
	"testing"
)

// plant is a task as the model has it, with noise as a share of its throughput.
type plant struct {
	a, b, t float64
	noise   float64
	rng     *rand.Rand
}

// step runs a sample at a cap and returns what a sensor measures.
func (p *plant) step(cores float64) float64 {
	p.t = max(p.a*p.t+p.b*cores, 0)
	if p.noise == 0 {
		return p.t
	}
	return max(p.t*(1+p.noise*p.rng.NormFloat64()), 0)
}

// random returns a generator; a failing test prints its seed.
func random(t testing.TB, seed uint64) *rand.Rand {
	t.Helper()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("seed %d", seed)
		}
	})
	return rand.New(rand.NewPCG(seed, 1))
}

// sines is the trace of a plant under the sine of the cap.
func sines(p *plant) (T, C []float64) {
	for k := range Cycles * Period {
		last := 0.0
		if k > 0 {
			last = C[k-1]
		}
		T, C = append(T, p.step(last)), append(C, Sine(k, 1))
	}
	return T, C
}

func within(got, want, share float64) bool { return got >= want*(1-share) && got <= want*(1+share) }
