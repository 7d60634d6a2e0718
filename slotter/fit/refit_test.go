package fit

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"lull/subjects"
	"lull/subjects/tct"
)

// learner is what the slotter does with a model's samples.
type learner struct {
	w     Window
	last  *subjects.Fitted
	curve *tct.Curve
	said  []*subjects.Fitted
	at    []uint64 // how many samples had been seen
}

// learn takes a sample in, and says a model when one is due.
func (l *learner) learn(t testing.TB, s Sample) {
	if !l.w.Add(s) {
		t.Fatalf("Add(%+v) = false, want it taken", s)
	}
	if !Due(&l.w, l.last, l.curve, 0) {
		return
	}
	result, ok := Refit(&l.w, l.last)
	if !ok {
		t.Fatal("Refit() = no model, want one, since it was due")
	}
	l.last = result.Event("t", l.w.Count())
	l.w.Adopt(l.last)
	l.curve = tct.Of(l.last)
	l.said, l.at = append(l.said, l.last), append(l.at, l.w.Seen)
}

// run finishes n tasks of a curve, each with its own noise.
func (l *learner) run(t testing.TB, rng *rand.Rand, n int, noise float64, curve func(r float64) float64) {
	for _, s := range draw(rng, n, 0.1, 0, curve) {
		s.Seconds *= math.Exp(noise * rng.NormFloat64())
		if l.curve != nil {
			s.Expected = l.curve.Seconds(s.Known)
		}
		l.learn(t, s)
	}
}

// alarms counts how often the alarm began.
func (l *learner) alarms() (n int) {
	before := false
	for _, f := range l.said {
		if f.Drift && !before {
			n++
		}
		before = f.Drift
	}
	return n
}

func times(factor float64, curve func(r float64) float64) func(float64) float64 {
	return func(r float64) float64 { return factor * curve(r) }
}

// In one type of 150 the noise of twenty tasks hides the jump for a few tasks more.
func TestAJumpRaisesTheAlarmUntilItIsLearnt(t *testing.T) {
	rng, curve := seeded(t), curves["two exponentials"]
	const types = 9
	raised, ended := 0, 0
	cautious, learnt := map[float64][]float64{}, map[float64][]float64{}
	for range types {
		var l learner
		l.run(t, rng, 1000, 0.1, curve)
		steady := l.alarms() == 0
		l.run(t, rng, 20, 0.1, times(4, curve))
		if steady && l.last.Drift {
			raised++
		}
		for r := 0.6; r <= 1; r += 0.1 {
			cautious[r] = append(cautious[r], l.curve.Seconds(r)/(4*curve(r)))
		}
		if l.run(t, rng, 60, 0.1, times(4, curve)); !l.last.Drift && l.alarms() == 1 {
			ended++
		}
		for _, r := range []float64{0.3, 0.6, 1} {
			learnt[r] = append(learnt[r], l.curve.Seconds(r)/(4*curve(r)))
		}
	}
	if raised < types-1 || ended < types-1 {
		t.Errorf("of %d types, alarm raised by twenty tasks of four times the time = %d, ended by sixty more = %d, want all but one", types, raised, ended)
	}
	for r, ratios := range cautious {
		if median(ratios) < 0.7 {
			t.Errorf("cautious model's share of the true time at %.1f = %.3g (median of %.3g), want at least 0.7", r, median(ratios), ratios)
		}
	}
	for r, ratios := range learnt {
		if math.Abs(median(ratios)-1) > 0.35 {
			t.Errorf("share of the true time at %.1f after the jump = %.3g (median of %.3g), want 1 within 0.35", r, median(ratios), ratios)
		}
	}
}

// One learner in sixty is slower than that: the noise of its latest samples hides the change.
func TestASmallChangeIsLearntWithoutAnAlarm(t *testing.T) {
	rng, curve := seeded(t), curves["conserved work"]
	var after []float64
	alarms := 0
	for range 9 {
		var l learner
		l.run(t, rng, 3000, 0.05, curve)
		l.run(t, rng, 40, 0.05, times(1.5, curve))
		alarms += l.alarms()
		after = append(after, l.curve.Seconds(0.8))
	}
	if alarms > 1 {
		t.Errorf("alarms from half as long again in nine types = %d, want at most 1", alarms)
	}
	if got := median(after); math.Abs(got-1.5*curve(0.8)) > 0.2*got {
		t.Errorf("forty tasks after the change %.3g s (median of %.3g), want %.3g", got, after, 1.5*curve(0.8))
	}
}

// The time that covers nine in ten is estimated from 32 tasks, so a single type may be far from it.
// One in sixty covers less than three quarters of the latest.
func TestTasksOfTwoKindsArePredictedWithCaution(t *testing.T) {
	rng, curve := seeded(t), curves["conserved work"]
	const types = 10
	covered, tasks, constant, calm := 0, 0, 0, 0
	for range types {
		var l learner
		for i := range 400 {
			l.run(t, rng, 1, 0.1, times([]float64{1, 30}[i%2], curve))
		}
		if l.last.Drift && l.alarms() == 1 {
			constant++
		}
		for _, s := range l.w.Recent {
			if tasks++; s.Seconds <= l.curve.Seconds(s.Residual)*1.0001 {
				covered++
			}
		}
		if l.run(t, rng, 80, 0.1, curve); !l.last.Drift {
			calm++
		}
	}
	if constant < types-1 {
		t.Errorf("types whose alarm began once and stood = %d of %d, want all but one", constant, types)
	}
	if covered < tasks*8/10 {
		t.Errorf("%d of the latest %d are covered, want nine in ten", covered, tasks)
	}
	if calm < types-1 {
		t.Errorf("types whose alarm eighty tasks of one kind ended = %d of %d, want all but one", calm, types)
	}
}

func TestOldSamplesFade(t *testing.T) {
	rng := seeded(t)
	fresh, stale := 0.0, 0.0
	for range 20 {
		var w Window
		for _, s := range draw(rng, 2000, 0.1, 0.05, curves["conserved work"]) {
			w.Add(s)
		}
		// Few enough that the old ones still fill half of the window.
		for _, s := range draw(rng, 120, 0.1, 0.05, times(1.12, curves["conserved work"])) {
			w.Add(s)
		}
		with, _ := Fit(w.Samples())
		ageless := w.Samples()
		for i := range ageless {
			ageless[i].at = 0
		}
		without, _ := Fit(ageless)
		fresh += tct.Of(with.fitted()).Seconds(0.5) / 20
		stale += tct.Of(without.fitted()).Seconds(0.5) / 20
	}
	if fresh < stale+0.1 || fresh > 22.4 {
		t.Errorf("20 s became 22.4 s: a memory that fades says %.2f, one that does not %.2f, want 0.1 more and at most 22.4", fresh, stale)
	}
}

// The alarm must not flap, whatever the tasks do. It changes at most once in sixteen samples, and
// for a type that stays as it is hardly ever.
func TestTheAlarmDoesNotFlap(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		noise := rapid.Float64Range(0, 1.2).Draw(rt, "noise")
		odd := rapid.Float64Range(0, 0.5).Draw(rt, "share of another kind")
		ratio := rapid.Float64Range(1, 50).Draw(rt, "its ratio")
		var l learner
		for range 800 {
			factor := 1.0
			if rng.Float64() < odd {
				factor = ratio
			}
			l.run(t, rng, 1, noise, times(factor, curves["conserved work"]))
		}
		changes, before, at := 0, false, uint64(0)
		for i, f := range l.said {
			if f.Drift == before {
				continue
			}
			if changes > 0 && l.at[i] < at+latest {
				rt.Fatalf("the alarm changed after %d and %d samples", at, l.at[i])
			}
			changes, before, at = changes+1, f.Drift, l.at[i]
		}
		// Of 4,000 types drawn at random four saw five changes and none more. One with two kinds of
		// tasks at the very threshold of the alarm saw six.
		if changes > 8 {
			rt.Fatalf("the alarm changed %d times in 800 samples of one kind", changes)
		}
	})
}

func TestPredictionsBeatFlatteringOneself(t *testing.T) {
	rng, curve := seeded(t), curves["conserved work"]
	var l learner
	samples := draw(rng, 400, 0.15, 0.15, curve)
	for i := range samples {
		s := &samples[i]
		s.Known = bound(s.Residual * math.Exp(0.4*rng.NormFloat64())) // the tenant did something else meanwhile
		if l.curve != nil {
			s.Expected = l.curve.Seconds(s.Known)
		}
		l.learn(t, *s)
	}
	result, _ := Refit(&l.w, l.last)
	flattered := usable(l.w.Samples())
	for i := range flattered {
		flattered[i].Known = flattered[i].Residual
	}
	itself := evaluate(predictor{curve: tct.Of(result.fitted())}, flattered)
	if result.Score.Real < 100 || itself.NRMSE > 0.8*result.Score.NRMSE {
		t.Errorf("NRMSE %.3f of %d real predictions, the model on its own samples at their mean residual %.3f: want that to be far less",
			result.Score.NRMSE, result.Score.Real, itself.NRMSE)
	}
}

func TestFewPredictionsAreNoScore(t *testing.T) {
	samples := draw(seeded(t), 40, 0.1, 0.1, curves["conserved work"])
	for i := range 4 {
		samples[i].Expected = 1e6
	}
	if r, _ := Fit(samples); r.Score.Real != 0 || r.Score.OverBy > 1 {
		t.Errorf("score of four predictions = %+v, want none", r.Score)
	}
	samples[4].Expected = 1e6
	if r, _ := Fit(samples); r.Score.Real != 5 || r.Score.Over != 1 {
		t.Errorf("score of five predictions = %+v, want 5, all over", r.Score)
	}
}

func TestAnyWindowMakesAPositiveCurve(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var l learner
		number := rapid.OneOf(rapid.Float64(), rapid.Float64Range(0, 1), rapid.Float64Range(0, 1e12),
			rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), 0, math.SmallestNonzeroFloat64, 1e30, math.MaxFloat64}))
		for range rapid.IntRange(0, 80).Draw(rt, "samples") {
			s := Sample{
				Residual: number.Draw(rt, "r"), Known: number.Draw(rt, "known"), Seconds: number.Draw(rt, "s"),
				Bytes: number.Draw(rt, "bytes"), Expected: number.Draw(rt, "expected"), Read: number.Draw(rt, "read"),
			}
			if l.w.Add(s) && Due(&l.w, l.last, l.curve, 0) {
				if result, ok := Refit(&l.w, l.last); ok {
					l.last = result.Event("t", l.w.Count())
					l.w.Adopt(l.last)
					l.curve = tct.Of(l.last)
					sane(rt, l.last)
				}
			}
		}
	})
}

// A host may report any number that an event of the log can carry.
func TestTheLogTakesAModelOfTheLargestNumbers(t *testing.T) {
	var l learner
	for range MinSamples {
		l.w.Add(Sample{Residual: 0.05, Known: 0.05, Seconds: 1e12, Bytes: 1e30, Expected: 1e-30, Read: 1e30})
		l.w.Add(Sample{Residual: 1, Known: 1, Seconds: 1e-30, Bytes: 1, Expected: 1e30})
	}
	result, ok := Refit(&l.w, nil)
	if !ok {
		t.Fatalf("Refit(%d samples) = no model, want one", 2*MinSamples)
	}
	if _, err := subjects.Encode(subjects.DefaultPool, result.Event("t", l.w.Count())); err != nil {
		t.Errorf("event of %+v: %v, want no error", result, err)
	}
}

// sane checks that the log takes the model, and what it predicts.
func sane(t *rapid.T, f *subjects.Fitted) {
	m, err := subjects.Encode(subjects.DefaultPool, f)
	if err == nil {
		_, err = subjects.Decode(subjects.DefaultPool, m.Subject, m.Body)
	}
	if err != nil {
		t.Fatalf("event %+v: %v, want no error", f, err)
	}
	curves := tct.NewCurves()
	for _, bytes := range []int64{0, 1, 1 << 20, math.MaxInt64} {
		for _, r := range []float64{0, 0.05, 0.5, 1} {
			if s := curves.Of(f, 0, bytes).Seconds(r); !(s > 0) || math.IsInf(s, 0) {
				t.Fatalf("curve of %+v with %d bytes at %v = %v s, want a positive finite time", f, bytes, r, s)
			}
		}
	}
}
