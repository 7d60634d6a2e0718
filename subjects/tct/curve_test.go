package tct

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lull/subjects"
)

// near holds when got is within the 0.002 % that times are rounded to.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 2e-5*math.Abs(want) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

func TestResidual(t *testing.T) {
	for _, c := range []struct {
		idle float64
		busy int
		want float64
	}{
		{2, 2, 1}, {1, 2, 0.5}, {8, 2, 1}, {-0.3, 1, 0}, {0.5, 0, 0.5}, {3, 4, 0.75}, {math.NaN(), 1, 0},
	} {
		if got := Residual(c.idle, c.busy); got != c.want {
			t.Errorf("Residual(%v, %d) = %v, want %v", c.idle, c.busy, got, c.want)
		}
	}
}

func TestDefaultConservesWork(t *testing.T) {
	c := Default(10 * time.Second)
	near(t, "idle core", c.Seconds(1), 10)
	near(t, "half a core", c.Seconds(0.5), 20)
	near(t, "no core: as at MinResidual", c.Seconds(0), 200)
	near(t, "norm at a quarter", c.Norm(0.25), 4)
	near(t, "no estimate", Default(0).Seconds(1), 60)
	near(t, "no estimate, negative", Default(-time.Hour).Seconds(1), 60)
	if c.Fitted {
		t.Error("Fitted = true of a default curve, want false")
	}
}

func TestOfIsEquationOneWithinTheSamples(t *testing.T) {
	f := &subjects.Fitted{A: 90, B: -12, C: 20, D: -1, Low: 0.1, High: 1}
	c := Of(f)
	for _, r := range []float64{0.1, 0.25, 0.5, 0.75, 1} {
		near(t, "seconds", c.Seconds(r), 90*math.Exp(-12*r)+20*math.Exp(-r))
		near(t, "norm", c.Norm(r), c.Seconds(r)/c.Seconds(1))
	}
}

func TestOfDoesNotTrustExtrapolation(t *testing.T) {
	// e^(−4·0.5)·100 = 13.53 at R = 0.5, the lowest residual seen.
	c := Of(&subjects.Fitted{A: 100, B: -4, Low: 0.5, High: 0.8})
	low, high := 100*math.Exp(-2.0), 100*math.Exp(-3.2)
	near(t, "far below the samples", c.Seconds(0.1), low*5)
	near(t, "above the samples", c.Seconds(1), high*0.8)
}

func TestOfOneResidualIsAPoint(t *testing.T) {
	c := Of(&subjects.Fitted{A: 12, Low: 0.48, High: 0.52})
	near(t, "there", c.Seconds(0.5), 12)
	near(t, "idle", c.Seconds(1), 6)
	near(t, "loaded", c.Seconds(0.25), 24)
}

func TestOfNilIsTheDefault(t *testing.T) {
	if *Of(nil) != *Default(0) {
		t.Errorf("Of(nil) = %+v, want %+v", *Of(nil), *Default(0))
	}
}

func TestEveryCurveIsPositiveAndFinite(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		any64 := rapid.OneOf(rapid.Float64(), rapid.Float64Range(-50, 50),
			rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1), 0}))
		f := subjects.Fitted{
			A: any64.Draw(t, "a"), B: any64.Draw(t, "b"), C: any64.Draw(t, "c"), D: any64.Draw(t, "d"),
			Low: any64.Draw(t, "low"), High: any64.Draw(t, "high"),
		}
		r := any64.Draw(t, "r")
		c := Of(&f)
		for _, x := range []float64{c.Seconds(r), c.Norm(r)} {
			if !(x > 0) || math.IsInf(x, 0) {
				t.Fatalf("curve of %+v at residual %v = %v, want a positive finite time", f, r, x)
			}
		}
	})
}

func BenchmarkSeconds(b *testing.B) {
	c, r, sum := Default(0), 0.0, 0.0
	for b.Loop() {
		sum += c.Seconds(r)
		if r += 0.01; r > 1 {
			r = 0
		}
	}
	_ = sum
}

func BenchmarkOf(b *testing.B) {
	f := &subjects.Fitted{A: 90, B: -12, C: 20, D: -1, Low: 0.1, High: 1}
	for b.Loop() {
		Of(f)
	}
}

// A fit's second term may turn upwards behind its last sample.
func TestMoreCPUIsNeverPredictedToCostTimeBeyondTheSamples(t *testing.T) {
	f := &subjects.Fitted{A: 8, B: -6, C: 0.8, D: 1, Low: 0.18, High: 0.33}
	if TCT(f, 1) <= TCT(f, 0.5) {
		t.Fatalf("TCT(1), TCT(0.5) = %v, %v, want a model that rises", TCT(f, 1), TCT(f, 0.5))
	}
	c, last := Of(f), math.Inf(1)
	for r := f.High; r <= 1; r += 0.01 {
		if c.Seconds(r) > last {
			t.Fatalf("Seconds(%v) = %v, want at most %v as just before", r, c.Seconds(r), last)
		}
		last = c.Seconds(r)
	}
}
