package pace

import (
	"math"
	"testing"
)

func TestTrackerFollowsAChange(t *testing.T) {
	for seed := range uint64(20) {
		from := Model{A: 0.2, B: 50e6}
		tracker := NewTracker(from)
		p := &plant{a: 0.3, b: 35e6, noise: 0.05, rng: random(t, seed)}
		before := p.step(0.5)
		for k := range 300 {
			cores := Sine(k, 1)
			now := p.step(cores)
			tracker.Update(before, cores, now)
			before = now
		}
		if m := tracker.Model(); !within(m.Steady(1), 50e6, 0.15) {
			t.Errorf("seed %d: Model() = %+v, want 50e6 a core", seed, m)
		}
	}
}

// Under a cap that stands still for an hour, noise moves neither the estimate nor
// how sure it is.
func TestTrackerDoesNotWindUpWhileTheCapStands(t *testing.T) {
	tracker := NewTracker(Model{A: 0.2, B: 50e6})
	p := &plant{a: 0.2, b: 50e6, noise: 0.2, rng: random(t, 1)}
	before := p.step(0.4)
	for range 18_000 {
		now := p.step(0.4)
		tracker.Update(before, 0.4, now)
		before = now
	}
	if m := tracker.Model(); !within(m.B, 50e6, 0.01) || math.Abs(m.A-0.2) > 0.01 || tracker.paa+tracker.pbb > 0.05 {
		t.Errorf("Model() = %+v with covariance %.3g, want b = 50e6, a = 0.2, at most 0.05", m, tracker.paa+tracker.pbb)
	}
}

// A model that leaves the margin is kept at its border, where the gains are still valid, and
// reported after a while.
func TestTrackerStaysWithinTheMargin(t *testing.T) {
	tracker := NewTracker(Model{A: 0.2, B: 50e6})
	p := &plant{a: 0.2, b: 5e6, noise: 0.05, rng: random(t, 2)}
	before := p.step(0.5)
	for k := range 300 {
		now := p.step(Sine(k, 1))
		tracker.Update(before, Sine(k, 1), now)
		before = now
		if m := tracker.Model(); m.B < 25e6*(1-1e-6) || m.B > 100e6*(1+1e-6) || m.A < -1e-9 || m.A > 0.4+1e-9 {
			t.Fatalf("Model() = %+v, want it within the margin", m)
		}
	}
	if !tracker.OutsideMargin() {
		t.Error("OutsideMargin() with a tenth of the throughput = false, want true")
	}
}

func FuzzTracker(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6})
	f.Fuzz(func(t *testing.T, b []byte) {
		tracker := NewTracker(Model{A: 0.2, B: 50e6})
		for i := range len(b) / 3 {
			tracker.Update(float64(b[3*i])*1e6, float64(b[3*i+1])/100, float64(b[3*i+2])*1e6)
		}
		if m := tracker.Model(); !finite(m.A, m.B) || !m.Usable() {
			t.Errorf("Model() = %+v, want it usable", m)
		}
	})
}
