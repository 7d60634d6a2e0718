package tct

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lull/subjects"
	"lull/subjects/spec"
)

// slotsOf counts one slot for each residual.
func slotsOf(residuals ...float64) *Slots {
	s := new(Slots)
	for _, r := range residuals {
		s.Add(r, 1)
	}
	return s
}

func TestCompletable(t *testing.T) {
	// 60 s on slots of 10, 20 and 40 s a task: 6 + 3 + 1.5 tasks.
	got := slotsOf(1, 0.5, 0.25, 0.01).Completable(60, Default(10*time.Second))
	near(t, "completable tasks", got, 10.5)
	if got := slotsOf(1).Completable(-5, Default(0)); got != 0 {
		t.Errorf("Completable(-5 s) = %v, want 0", got)
	}
}

func TestJCT(t *testing.T) {
	c := Default(10 * time.Second)
	half := []float64{1, 0.5} // 10 and 20 s a task
	for _, x := range []struct {
		what      string
		remaining int
		residuals []float64
		jct, rate float64
	}{
		{"nothing left", 0, nil, 0, 0},
		{"equation 6: 12 · 30 / 4; rate: 12 / (3/20)", 12, half, 90, 80},
		{"a slot with next to nothing is left out", 12, []float64{1, 0.5, 0.04}, 90, 80},
		{"waves: 1 task on 4 slots", 1, []float64{1, 1, 1, 1}, 10, 10},
		{"waves: 5 tasks on 4 slots", 5, []float64{1, 1, 1, 1}, 20, 20},
		{"the best slot takes the one task", 1, half, 10, 10},
		{"a free slot is used: two tasks end with the slower", 2, half, 20, 20},
		{"no usable slot", 1, []float64{0, 0.01}, math.Inf(1), math.Inf(1)},
	} {
		s := slotsOf(x.residuals...)
		if got := s.JCT(x.remaining, c); got != x.jct {
			t.Errorf("%s: JCT(%d) = %v, want %v", x.what, x.remaining, got, x.jct)
		}
		if got := s.Rate(x.remaining, c); got != x.rate {
			t.Errorf("%s: Rate(%d) = %v, want %v", x.what, x.remaining, got, x.rate)
		}
	}
}

func drawCurve(t *rapid.T) *Curve {
	if rapid.Bool().Draw(t, "default") {
		return Default(time.Duration(rapid.Int64Range(1e6, 1e12).Draw(t, "estimate")))
	}
	f := subjects.Fitted{
		A: rapid.Float64Range(0, 500).Draw(t, "a"), B: rapid.Float64Range(-50, 0).Draw(t, "b"),
		C: rapid.Float64Range(0.01, 500).Draw(t, "c"), D: rapid.Float64Range(-5, 1).Draw(t, "d"),
		Low: rapid.Float64Range(0, 1).Draw(t, "low"), High: rapid.Float64Range(0, 1).Draw(t, "high"),
	}
	return Of(&f)
}

func TestPredictionsHoldTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCurve(t)
		residuals := rapid.SliceOfN(rapid.Float64Range(0, 1), 1, 60).Draw(t, "residuals")
		n := rapid.IntRange(0, 5000).Draw(t, "remaining")
		s := slotsOf(residuals...)

		jct, rate := s.JCT(n, c), s.Rate(n, c)
		if jct < rate {
			t.Fatalf("JCT(%d) = %v by equation 6, want at least the sum of rates, %v, by Jensen's inequality", n, jct, rate)
		}
		if more := s.JCT(n+1, c); more < jct {
			t.Fatalf("JCT(%d), JCT(%d) = %v, %v, want no less for one more task", n, n+1, jct, more)
		}
		if more := s.Rate(n+1, c); more < rate {
			t.Fatalf("Rate(%d), Rate(%d) = %v, %v, want no less for one more task", n, n+1, rate, more)
		}
		if s.Usable() > 0 && n > 0 {
			if done := s.Completable(rate, c); done < float64(n)*(1-1e-9) {
				t.Fatalf("Completable(%v s) = %v, want %d tasks as predicted", rate, done, n)
			}
		}
	})
}

func TestCriticalPath(t *testing.T) {
	// map → shuffle ─┐
	//        side ───┴→ publish
	stages := []spec.Stage{
		{Name: "map"},
		{Name: "shuffle", From: []spec.From{{Stage: 0}}},
		{Name: "side"},
		{Name: "publish", From: []spec.From{{Stage: 1}}, After: []uint32{2}},
	}
	for _, c := range []struct {
		what    string
		seconds []float64
		want    float64
	}{
		{"through the shuffle", []float64{10, 5, 3, 1}, 16},
		{"through the side", []float64{10, 5, 30, 1}, 31},
		{"what is done counts nothing", []float64{0, 0, 3, 1}, 4},
	} {
		if got := CriticalPath(stages, c.seconds); got != c.want {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
}

func TestCriticalPathOfAnyOrderAndOfNonsense(t *testing.T) {
	backwards := []spec.Stage{{After: []uint32{1}}, {After: []uint32{2}}, {}}
	if got := CriticalPath(backwards, []float64{1, 2, 4}); got != 7 {
		t.Errorf("stages in reverse order: %v, want 7", got)
	}
	circle := []spec.Stage{{After: []uint32{1}}, {After: []uint32{0, 99}}}
	if got := CriticalPath(circle, []float64{1, 1}); math.IsInf(got, 0) {
		t.Errorf("CriticalPath(a cycle) = %v, want a finite time", got)
	}
	if got := CriticalPath(nil, nil); got != 0 {
		t.Errorf("CriticalPath(no stages) = %v, want 0", got)
	}
}

func BenchmarkJCT(b *testing.B) {
	s, c := new(Slots), Default(0)
	for i := range 10_000 {
		s.Add(float64(i%100)/100, 1)
	}
	for b.Loop() {
		s.JCT(123_456, c)
	}
}
