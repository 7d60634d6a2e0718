package pace

import (
	"math"
	"testing"
)

// models are what gains are wanted for: those of Table 1, and the limits.
var models = []Model{
	{A: 0.26, B: 101.73}, {A: 0.05, B: 47.31}, {A: 0.13, B: 57.13}, {A: 0.32, B: 187.54},
	{A: 0, B: 1}, {A: -0.3, B: 8e7}, {A: 0.6, B: 3e6}, {A: 0.75, B: 1e-3},
}

// The whole box is looked at, not its corners alone: with Jury's criterion, and
// by letting the loop run.
func TestLoopIsStableWithinTheMargin(t *testing.T) {
	for _, m := range models {
		g, err := GainsFor(m, Robust)
		if err != nil {
			t.Fatalf("GainsFor(%+v) = %v, want no error", m, err)
		}
		if err := g.Check(m, Robust); err != nil {
			t.Errorf("Check(%+v) = %v, want no error", m, err)
		}
		for i := range 21 {
			for j := range 21 {
				a := m.A + Robust.A*(float64(i)/10-1)
				times := math.Pow(Robust.B, float64(j)/10-1)
				if l := (normal{g.Kp * m.B, g.Ki * m.B}).loop(a, times); !l.stable() || settling(l.radius()) > g.SettlingWorst {
					t.Errorf("%+v: at a = %.2f, b × %.2f the dominant pole is %.2f, %d samples were promised",
						m, a, times, l.radius(), g.SettlingWorst)
				}
				if left := run(g, a, times*m.B, 3*g.SettlingWorst); left > 0.02 {
					t.Errorf("%+v: at a = %.2f, b × %.2f the loop is %.3f off after %d samples, want at most 0.02", m, a, times, left, 3*g.SettlingWorst)
				}
			}
		}
	}
}

// run steps the loop from rest to a reference of 1, without any limit of the cap, and returns its
// final error.
func run(g Gains, a, b float64, samples int) float64 {
	var throughput, cores, last float64
	for range samples {
		e := 1 - throughput
		cores += (g.Kp+g.Ki)*e - g.Kp*last
		last = e
		throughput = a*throughput + b*cores
	}
	return math.Abs(1 - throughput)
}

func TestSettlingIsWhatIsPredicted(t *testing.T) {
	for _, m := range models {
		g, err := GainsFor(m, Robust)
		if err != nil {
			t.Fatal(err)
		}
		// Both poles together take a little longer than the dominant one alone.
		if left := run(g, m.A, m.B, 2*g.Settling); left > 0.02 {
			t.Errorf("%+v: %.3f off after twice the %d samples predicted, want at most 0.02", m, left, g.Settling)
		}
		if m.A >= 0 && m.A < 0.5 && g.SettlingWorst > 15 {
			t.Errorf("%+v: takes %d samples at worst, want 15", m, g.SettlingWorst)
		}
	}
}

// Deadbeat reaches the reference in two samples if the model is exact, and
// oscillates ever more if a core gives twice what it says.
func TestDeadbeatIsRefused(t *testing.T) {
	for _, m := range models {
		deadbeat := normal{m.A, 1}.gains(m.B)
		if left := run(deadbeat, m.A, m.B, 3); left > 1e-9 {
			t.Errorf("%+v: deadbeat is %v off after 3 samples, want 0", m, left)
		}
		err := deadbeat.Check(m, Robust)
		if m.A > -Robust.A && err == nil {
			t.Errorf("%+v: Check(deadbeat) = nil, want an error", m)
		}
		if g, _ := GainsFor(m, Robust); !(g.Ki < deadbeat.Ki) {
			t.Errorf("%+v: gains = %+v, want less than deadbeat's %+v", m, g, deadbeat)
		}
	}
}

func TestGainsAreRefused(t *testing.T) {
	for _, m := range []Model{{}, {A: 0.2, B: -1}, {A: 1.2, B: 1}, {A: math.NaN(), B: 1}, {A: 0.2, B: math.Inf(1)}} {
		if g, err := GainsFor(m, Robust); err == nil {
			t.Errorf("GainsFor(%+v) = %+v, want an error", m, g)
		}
	}
}

// Every model that may be used has gains within the margin.
func TestEveryModelHasGains(t *testing.T) {
	for i := -74; i <= 94; i++ {
		if g, err := GainsFor(Model{A: float64(i) / 100, B: 1}, Robust); err != nil {
			t.Errorf("GainsFor(a = %.2f) = %+v, %v, want no error", float64(i)/100, g, err)
		}
	}
}

func BenchmarkGains(b *testing.B) {
	for b.Loop() {
		if _, err := GainsFor(models[0], Robust); err != nil {
			b.Fatal(err)
		}
	}
}
