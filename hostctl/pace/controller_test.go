package pace

import (
	"math"
	"math/rand/v2"
	"testing"
)

func controllerFor(t testing.TB, m Model) *Controller {
	t.Helper()
	g, err := GainsFor(m, Robust)
	if err != nil {
		t.Fatal(err)
	}
	return &Controller{Gains: g, Most: 1}
}

// drive runs a controller on a plant, and returns the throughput of each sample.
func drive(c *Controller, p *plant, samples int, reference, allowed func(k int) float64) []float64 {
	var trace []float64
	cores := 0.5 // as in the paper's section 6.2
	for k := range samples {
		inForce := min(cores, allowed(k))
		trace = append(trace, p.step(inForce))
		cores = c.Step(trace[k], reference(k), inForce)
	}
	return trace
}

func always(v float64) func(int) float64 { return func(int) float64 { return v } }

// settled is the first sample from which on all are within a share of a value.
func settled(trace []float64, value, share float64) int {
	at := len(trace)
	for at > 0 && within(trace[at-1], value, share) {
		at--
	}
	return at
}

func TestControllerSettles(t *testing.T) {
	for _, off := range []float64{0.5, 0.7, 1, 1.4, 2} {
		m := Model{A: 0.2, B: 50e6}
		c := controllerFor(t, m)
		trace := drive(c, &plant{a: m.A, b: off * m.B}, 60, always(20e6), always(1))
		if at := settled(trace, 20e6, 0.02); at > 15 {
			t.Errorf("b off by × %.1f: settles after %d samples, want 15", off, at)
		}
	}
}

func TestMeanIsTheReferenceUnderNoise(t *testing.T) {
	for seed := range uint64(20) {
		c := controllerFor(t, Model{A: 0.2, B: 50e6})
		p := &plant{a: 0.25, b: 40e6, noise: 0.1, rng: random(t, seed)}
		sum := 0.0
		trace := drive(c, p, 200, always(20e6), always(1))[15:]
		for _, v := range trace {
			sum += v / float64(len(trace))
		}
		if !within(sum, 20e6, 0.03) {
			t.Errorf("seed %d: the mean is %.3g, want 20e6", seed, sum)
		}
	}
}

// A guard takes most of the cap for ten seconds. Once the cap is back, the task reaches its
// reference as fast as after any other step. It does not overshoot to make up for lost time.
func TestNothingWindsUpWhileTheCapIsTaken(t *testing.T) {
	c := controllerFor(t, Model{A: 0.2, B: 50e6})
	taken := func(k int) float64 {
		if k >= 30 && k < 80 {
			return 0.1
		}
		return 1
	}
	trace := drive(c, &plant{a: 0.2, b: 50e6}, 120, always(20e6), taken)
	if !within(trace[79], 6.25e6, 0.01) {
		t.Fatalf("throughput under the guard = %.3g, want 6.25e6", trace[79])
	}
	if at := settled(trace[80:], 20e6, 0.02); at > 15 {
		t.Errorf("settles %d samples after the guard let go, want 15", at)
	}
	for k, v := range trace[80:] {
		if v > 1.15*20e6 {
			t.Errorf("%d samples after the guard let go it runs at %.3g, want at most 15 %% above 20e6", k, v)
		}
	}
}

func TestUnreachableIsSaidAndTakenBack(t *testing.T) {
	c := controllerFor(t, Model{A: 0.2, B: 50e6})
	reference := func(k int) float64 {
		if k < 60 {
			return 100e6 // a core gives 62.5e6
		}
		return 20e6
	}
	p, cores := &plant{a: 0.2, b: 50e6}, 0.5
	for k := range 120 {
		throughput := p.step(cores)
		cores = c.Step(throughput, reference(k), cores)
		switch said := c.Unreachable(); {
		case k < 20 && said:
			t.Fatalf("Unreachable() after %d samples = true, want false", k)
		case k == 59 && (!said || cores < 1):
			t.Errorf("after 60 samples at the limit: unreachable %v, cap %.2f, want true, 1", said, cores)
		case k == 75 && !within(throughput, 20e6, 0.05):
			t.Errorf("throughput 15 samples after a reference in reach = %.3g, want 20e6", throughput)
		case k == 110 && said:
			t.Error("Unreachable() once it is reached = true, want false")
		}
	}
}

// Whatever a sensor says, the cap is one that the kernel takes.
func TestCapStaysWithinItsLimits(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	c := controllerFor(t, Model{A: 0.2, B: 50e6})
	for range 10_000 {
		c.Most = rng.Float64() * 2
		cores := c.Step(rng.ExpFloat64()*1e8, rng.ExpFloat64()*1e8, rng.Float64())
		if !(cores >= Least && cores <= max(c.Most, Least)) || math.IsNaN(cores) {
			t.Fatalf("Step() = %v, want %v to %v", cores, Least, c.Most)
		}
	}
}

func BenchmarkStep(b *testing.B) {
	d := NewDriver(&Model{A: 0.2, B: 50e6}, 1)
	p := &plant{a: 0.2, b: 50e6, noise: 0.1, rng: rand.New(rand.NewPCG(1, 1))}
	cores := 0.5
	for b.Loop() {
		cores = d.Step(p.step(cores), cores, 20e6)
	}
}
