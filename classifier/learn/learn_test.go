package learn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"lull/classifier/series"
	"lull/subjects/profile"
)

var monday = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)

// month is a series of days by a rule, with little noise.
func month(days int, step time.Duration, rule func(day int, hour float64) float64) *series.Series {
	rng := rand.New(rand.NewPCG(2, 2))
	s := &series.Series{Start: monday, Step: step}
	perDay := int(series.Day / step)
	for i := range days * perDay {
		v := rule(i/perDay, 24*float64(i%perDay)/float64(perDay)) + 0.004*rng.NormFloat64()
		s.Mean = append(s.Mean, float32(min(max(v, 0), 1)))
	}
	return s
}

func wave(hour float64) float64 { return 0.3 - 0.2*math.Cos(2*math.Pi*hour/24) }

func learned(t *testing.T, s *series.Series) *profile.Profile {
	t.Helper()
	p := New(Options{}).Learn(s, nil).Profile
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	return &p
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s: %v, want %v within %v", what, got, want, within)
	}
}

func TestADayIsLearnt(t *testing.T) {
	for _, step := range []time.Duration{series.Step, 5 * time.Minute, 20 * time.Minute} {
		p := learned(t, month(28, step, func(_ int, hour float64) float64 { return wave(hour) }))
		if p.Pattern != profile.Periodic || p.Confidence < 0.9 || p.Weekend() {
			t.Errorf("step %v: %v at confidence %v, weekend %v, want periodic at 0.9 or more, false", step, p.Pattern, p.Confidence, p.Weekend())
		}
		near(t, "average", p.Average, 0.3, 0.002)
		near(t, "peak", p.Peak, 0.507, 0.008)
		for hour := range 24 {
			at := monday.Add(time.Duration(hour)*time.Hour + 30*time.Minute)
			near(t, fmt.Sprintf("step %v, hour %d", step, hour), p.Expect(at), wave(float64(hour)+0.5), 0.02)
			near(t, fmt.Sprintf("step %v, median of hour %d", step, hour), p.Quantile(at, 0.5), wave(float64(hour)+0.5), 0.02)
		}
		if p.Size() > 1500 {
			t.Errorf("Size() = %d bytes, want at most 1500", p.Size())
		}
	}
}

func TestThePeakIsNoSingleSample(t *testing.T) {
	s := month(28, series.Step, func(int, float64) float64 { return 0.3 })
	for i := range 20 {
		s.Mean[1000*i+7] = 1
	}
	if p := learned(t, s); p.Peak > 0.33 {
		t.Errorf("peak with 20 of 20,160 samples at 1 = %v, want at most 0.33", p.Peak)
	}
	if p := New(Options{Max: true}).Learn(s, nil).Profile; p.Peak != 1 {
		t.Errorf("peak as the paper has it = %v, want 1", p.Peak)
	}
}

// The twin sorts all samples.
func TestThePeakMatchesItsTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for range 20 {
		s := month(2+rng.IntN(5), series.Step, func(int, float64) float64 { return rng.Float64() * rng.Float64() })
		sorted := slices.Sorted(slices.Values(s.Mean))
		want := float64(sorted[int(0.995*float64(len(sorted)))])
		near(t, "peak", learned(t, s).Peak, want, 0.0011)
	}
}

func TestBelowTwoDaysNothingIsPromised(t *testing.T) {
	s := month(2, series.Step, func(int, float64) float64 { return 0.1 })
	s.Mean[0] = float32(math.NaN())
	p := learned(t, s)
	if p.Pattern != profile.Unpredictable || p.Peak != 1 || p.Confidence != 0 || p.Expect(monday) != 1 {
		t.Errorf("profile = %+v, want unpredictable, peak 1, confidence 0", p)
	}
	near(t, "average", p.Average, 0.1, 0.01)
	if p := learned(t, month(0, series.Step, nil)); p.Peak != 1 || p.Average != 0 {
		t.Errorf("profile of nothing observed = %+v, want peak 1, average 0", p)
	}
	if p := learned(t, month(2, series.Step, func(int, float64) float64 { return 0.1 })); p.Pattern != profile.Constant || p.Peak == 1 {
		t.Errorf("profile of two days = %+v, want constant with a peak below 1", p)
	}
}

func TestWeekendsStandApartWhereTheyDiffer(t *testing.T) {
	office := func(day int, hour float64) float64 {
		if day%7 >= 5 {
			return 0.05
		}
		return wave(hour)
	}
	p := learned(t, month(28, series.Step, office))
	if !p.Weekend() {
		t.Fatal("Weekend() = false with an idle weekend, want true")
	}
	noon := monday.Add(12 * time.Hour)
	near(t, "Monday noon", p.Expect(noon), 0.5, 0.02)
	near(t, "Sunday noon", p.Expect(noon.Add(-series.Day)), 0.05, 0.02)
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		noisy := month(28, 10*time.Minute, func(_ int, hour float64) float64 { return wave(hour) + 0.1*rng.Float64() })
		if learned(t, noisy).Weekend() {
			t.Errorf("seed %d: Weekend() = true of noise, want false", seed)
		}
	}
}

// Clocks go forward on the 14th day. Three days later the profile errs by little.
func TestAnHoursShiftIsForgottenInThreeDays(t *testing.T) {
	rule := func(day int, hour float64) float64 {
		if day >= 25 {
			hour++
		}
		return wave(hour)
	}
	p := learned(t, month(28, series.Step, rule))
	for hour := range 24 {
		at := monday.Add(28*series.Day + time.Duration(hour)*time.Hour)
		seen := wave(float64(hour) + 1.5)
		if off := math.Abs(p.Expect(at) - seen); off > 0.2*seen {
			t.Errorf("hour %d: Expect() = %v, want %v within a fifth", hour, p.Expect(at), seen)
		}
	}
}

func TestAPatternStaysNearItsBound(t *testing.T) {
	s := month(28, series.Step, func(day int, hour float64) float64 { return 0.2 + 0.055*float64(day*7919%28)/27 })
	fresh := New(Options{}).Learn(s, nil).Profile
	if fresh.Pattern == profile.Constant {
		t.Fatalf("profile just past the bound = %+v, want it not constant", fresh)
	}
	before := profile.Profile{Pattern: profile.Constant, Hours: make([]byte, 24)}
	if p := New(Options{}).Learn(s, &before).Profile; p.Pattern != profile.Constant {
		t.Errorf("pattern of a constant tenant just past the bound = %v, want constant", p.Pattern)
	}
	before.Hours = nil // it had no pattern: too little was observed
	if p := New(Options{}).Learn(s, &before).Profile; p.Pattern != fresh.Pattern {
		t.Errorf("pattern after an unknown profile = %v, want %v", p.Pattern, fresh.Pattern)
	}
}

func TestALearnerKeepsNothingOfOtherTenants(t *testing.T) {
	l := New(Options{})
	busy := month(28, series.Step, func(_ int, hour float64) float64 { return wave(hour) })
	even := month(7, 5*time.Minute, func(int, float64) float64 { return 0.2 })
	even.Mean[5] = float32(math.NaN())
	l.Learn(busy, nil)
	if got, want := l.Learn(even, nil), New(Options{}).Learn(even, nil); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("after another tenant:\n%+v\nalone:\n%+v", got, want)
	}
}

func TestMaximaAreTheLastDaysPeaks(t *testing.T) {
	s := month(20, series.Step, func(int, float64) float64 { return 0.1 })
	s.Peak = slices.Clone(s.Mean)
	last := len(s.Peak) - 1
	s.Peak[last] = 0.8
	for i := range 30 {
		s.Mean[last-30-i], s.Peak[last-30-i] = float32(math.NaN()), float32(math.NaN())
	}
	p := learned(t, s)
	n := len(p.Maxima)
	if n != keptDays*perConstantDay || p.PerDay != perConstantDay {
		t.Fatalf("maxima = %d, %d a day, want %d, %d", n, p.PerDay, keptDays*perConstantDay, perConstantDay)
	}
	near(t, "the last slot", profile.Unpack(p.Maxima[n-1]), 0.8, 0.008)
	if p.Maxima[n-2] != profile.Unknown {
		t.Errorf("slot that was not observed = %d, want Unknown", p.Maxima[n-2])
	}
}

func Example() {
	used := month(28, series.Step, func(_ int, hour float64) float64 { return wave(hour) })
	p := New(Options{}).Learn(used, nil).Profile
	noon := monday.Add(12 * time.Hour)
	fmt.Printf("%v, on average %.2f, at noon %.2f, at midnight %.2f\n", p.Pattern, p.Average, p.Expect(noon), p.Expect(monday))
	// Output: periodic, on average 0.30, at noon 0.50, at midnight 0.10
}
