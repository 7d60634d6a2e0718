package tct

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lull/subjects"
)

func TestFactor(t *testing.T) {
	one := &subjects.Fitted{Size: 100, Least: 100, Most: 100}
	many := &subjects.Fitted{Size: 100, Fixed: 0.4, Least: 50, Most: 800}
	for _, c := range []struct {
		what  string
		model *subjects.Fitted
		bytes float64
		want  float64
	}{
		{"no model", nil, 5, 1},
		{"a model without size", &subjects.Fitted{}, 5, 1},
		{"an unknown size", one, 0, 1},
		{"its own size", one, 100, 1},
		{"three times the only size seen", one, 300, 3},
		{"half the only size seen: a fifth stays", one, 50, 0.6},
		{"next to nothing", one, 1e-6, 0.2},
		{"within the sizes seen", many, 50, 0.7},
		{"beyond them", many, 1000, 6.4},
		{"below them the fixed share is more than a fifth", many, 25, 0.55},
		{"a size told by hand, without a range", &subjects.Fitted{Size: 100}, 10, 0.1},
	} {
		if got := Factor(c.model, c.bytes); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
}

func TestCurvesOfSizesAreShared(t *testing.T) {
	model := &subjects.Fitted{Type: "m", A: 10, B: -1, Low: 0.05, High: 1, Size: 1e6}
	c := NewCurves()
	for i := range 1000 {
		bytes := int64(1e6 + 1000*i) // one octave
		got, want := c.Of(model, 0, bytes), Of(model)
		factor := float64(bytes) / 1e6
		if ratio := got.Seconds(0.5) / want.Seconds(0.5) / factor; math.Abs(math.Log2(ratio)) > 0.51/octave {
			t.Fatalf("time of %d bytes = %v of what their size predicts, want 1 within half an octave's step", bytes, ratio)
		}
		if got.Norm(0.5) != want.Norm(0.5) {
			t.Fatalf("Norm(0.5) = %v with the size, want %v as without", got.Norm(0.5), want.Norm(0.5))
		}
	}
	if c.Len() != octave+1 {
		t.Errorf("%d curves for an octave of sizes, want %d", c.Len(), octave+1)
	}
	if c.Forget("m"); c.Len() != 0 {
		t.Errorf("curves after Forget(m) = %d, want 0", c.Len())
	}
}

func TestADefaultKnowsItsInput(t *testing.T) {
	if got := NewCurves().Of(nil, 10*time.Second, 1<<40).Seconds(1); got != 10 {
		t.Errorf("Of(nil, 10s, 1 TiB).Seconds(1) = %v, want 10", got)
	}
}

func TestADriftingModelConservesWork(t *testing.T) {
	c := Of(&subjects.Fitted{A: 8, B: -30, C: 9, D: -1, Low: 0.3, High: 0.9, Drift: true})
	near(t, "idle", c.Seconds(1), 8)
	near(t, "a quarter of a core", c.Seconds(0.25), 32)
	if !c.Fitted {
		t.Error("Fitted = false of a curve from samples, want true")
	}
}

func TestAnySizesGiveAPositiveTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		any64 := rapid.OneOf(rapid.Float64(), rapid.Float64Range(0, 1),
			rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.SmallestNonzeroFloat64, math.MaxFloat64}))
		f := &subjects.Fitted{
			Type: "m", A: 1, Low: 0.05, High: 1, Drift: rapid.Bool().Draw(t, "drift"),
			Size: any64.Draw(t, "size"), Fixed: any64.Draw(t, "fixed"), Least: any64.Draw(t, "least"), Most: any64.Draw(t, "most"),
		}
		bytes := rapid.Int64().Draw(t, "bytes")
		if s := NewCurves().Of(f, 0, bytes).Seconds(0.5); !(s > 0) || math.IsInf(s, 0) {
			t.Fatalf("curve of %+v with %d bytes = %v s, want a positive finite time", f, bytes, s)
		}
	})
}
