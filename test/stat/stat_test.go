package stat

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s = %v, want %v ± %v", what, got, want, within)
	}
}

func TestMeanKnowsItsInterval(t *testing.T) {
	e := Mean([]float64{1, 2, 3, 4, 5}) // s = √2.5, t(4) = 2.776
	near(t, "mean of 1 to 5", e.Mean, 3, 1e-12)
	near(t, "low of 1 to 5", e.Low, 3-2.776*math.Sqrt(0.5), 1e-9)
	near(t, "high of 1 to 5", e.High, 3+2.776*math.Sqrt(0.5), 1e-9)
	if one := Mean([]float64{7}); one != (Estimate{7, 7, 7}) {
		t.Errorf("Mean(7) = %+v, want 7 with an interval of 7 to 7", one)
	}
	if !math.IsNaN(Mean(nil).Mean) {
		t.Errorf("Mean(nil) = %v, want NaN", Mean(nil).Mean)
	}
}

func TestStudentMeetsItsTable(t *testing.T) {
	for freedom, want := range map[int]float64{1: 12.706, 29: 2.045, 31: 2.0395, 40: 2.0211, 120: 1.9799, 1e6: 1.96} {
		near(t, fmt.Sprintf("student(%v)", freedom), student(freedom), want, 1e-3)
	}
}

// Nineteen intervals in twenty must hold the truth, or they are no 95 % ones.
func TestIntervalsCover(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	const rounds = 2000
	held, means := 0, 0
	for range rounds {
		a, b := make([]float64, 12), make([]float64, 12)
		for i := range a {
			hard := 5 * rng.Float64() // common to both
			a[i], b[i] = 9+hard+rng.NormFloat64(), 10+hard+rng.NormFloat64()
		}
		if d := Difference(a, b); d.Low <= -1 && -1 <= d.High {
			held++
		}
		if e := Mean(a); e.Low <= 11.5 && 11.5 <= e.High {
			means++
		}
	}
	near(t, "coverage of differences", float64(held)/rounds, 0.95, 0.02)
	near(t, "coverage of means", float64(means)/rounds, 0.95, 0.02)
}

func TestPairingBeatsTheSpread(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	a, b := make([]float64, 30), make([]float64, 30)
	for i := range a {
		b[i] = 50 + 50*rng.Float64()
		a[i] = 0.94 * b[i] * (1 + 0.01*rng.NormFloat64())
	}
	r := Ratio(a, b)
	near(t, "mean of Ratio()", r.Mean, -0.06, 0.01)
	if r.High >= 0 || r.High-r.Low > 0.02 {
		t.Errorf("Ratio() = %+v, want an interval below 0, at most 0.02 wide", r)
	}
	if r != Ratio(a, b) {
		t.Errorf("Ratio(the same values again) = %+v, want %+v", Ratio(a, b), r)
	}
}

func TestQuantile(t *testing.T) {
	sorted := []float64{0, 10, 20}
	for q, want := range map[float64]float64{0: 0, 0.25: 5, 0.5: 10, 1: 20} {
		near(t, fmt.Sprintf("Quantile(0 10 20, %v)", q), Quantile(sorted, q), want, 1e-12)
	}
	if !math.IsNaN(Quantile(nil, 0.5)) {
		t.Errorf("Quantile(nil, 0.5) = %v, want NaN", Quantile(nil, 0.5))
	}
}
