package fit

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"lull/subjects"
	"lull/subjects/tct"
)

// draw takes n samples of a curve, residuals uniform in [low, 1], times with
// normal relative noise.
func draw(rng *rand.Rand, n int, low, noise float64, curve func(r float64) float64) []Sample {
	samples := make([]Sample, n)
	for i := range samples {
		r := low + (1-low)*rng.Float64()
		y := curve(r) * max(1+noise*rng.NormFloat64(), 0.05)
		samples[i] = Sample{Residual: r, Known: r, Seconds: y}
	}
	return samples
}

func seeded(t *testing.T) *rand.Rand {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

var curves = map[string]func(r float64) float64{
	"two exponentials":  func(r float64) float64 { return 90*math.Exp(-12*r) + 20*math.Exp(-1*r) },
	"one exponential":   func(r float64) float64 { return 40 * math.Exp(-2*r) },
	"conserved work":    func(r float64) float64 { return 10 / r },
	"waits for disk":    func(float64) float64 { return 7 },
	"rises a little":    func(r float64) float64 { return 5 * math.Exp(0.3*r) },
	"thirty times less": func(r float64) float64 { return 300*math.Exp(-25*r) + 10*math.Exp(-0.5*r) },
	"milliseconds":      func(r float64) float64 { return 0.002 / r },
}

func TestFitRecoversCurves(t *testing.T) {
	for name, curve := range curves {
		t.Run(name, func(t *testing.T) {
			result, ok := Fit(draw(seeded(t), 120, 0.05, 0.05, curve))
			if !ok {
				t.Fatal("Fit() = no model, want one")
			}
			fitted := tct.Of(result.fitted())
			for r := 0.2; r <= 1; r += 0.08 {
				if got, want := fitted.Seconds(r), curve(r); math.Abs(got-want) > 0.15*want {
					t.Errorf("at %.2f: %.4g s, want %.4g (%+v)", r, got, want, result)
				}
			}
		})
	}
}

func TestFitChoosesTheSimplerModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	one, _ := Fit(draw(rng, 60, 0.05, 0.03, curves["one exponential"]))
	two, _ := Fit(draw(rng, 60, 0.05, 0.03, curves["two exponentials"]))
	if one.Terms != 1 || two.Terms != 2 {
		t.Errorf("terms %d and %d, want 1 and 2", one.Terms, two.Terms)
	}
	if two.B >= two.D {
		t.Errorf("Fit() = %+v, want the steeper term first", two)
	}
}

func TestFitWithstandsOutliers(t *testing.T) {
	rng, curve := seeded(t), curves["two exponentials"]
	samples := draw(rng, 80, 0.05, 0.05, curve)
	for i := 0; i < len(samples); i += 10 {
		samples[i].Seconds *= 20 // it hung
	}
	result, _ := Fit(samples)
	fitted := tct.Of(result.fitted())
	for _, r := range []float64{0.15, 0.3, 0.6, 1} {
		if got, want := fitted.Seconds(r), curve(r); math.Abs(got-want) > 0.2*want {
			t.Errorf("at %.2f: %.4g s, want %.4g", r, got, want)
		}
	}
}

// With twelve samples and 10 % noise, the second exponential follows a single outlier one time in
// ten thousand. The extrapolation is then up to 3.5 times the true time (60,000 draws). So one draw
// of fifty may miss; two do so once in 80,000 runs.
func TestExtrapolationStaysWithinConservedWork(t *testing.T) {
	rng := seeded(t)
	missed := 0
	for range 50 {
		result, ok := Fit(draw(rng, 12, 0.6, 0.1, curves["conserved work"]))
		if !ok {
			t.Fatal("Fit() = no model, want one")
		}
		fitted := tct.Of(result.fitted())
		if got := fitted.Seconds(0.05); got < 100 || got > 400 {
			missed++
			t.Logf("twelve noisy samples above 0.6 give %.4g s at 0.05, work conserved is 200 (%+v)", got, result)
		}
	}
	if missed > 1 {
		t.Errorf("extrapolations off by more than a factor of two = %d of 50, want at most 1", missed)
	}
}

func TestOneResidualIsAPoint(t *testing.T) {
	samples := []Sample{}
	for i := range 9 {
		samples = append(samples, Sample{Residual: 0.5, Known: 0.5, Seconds: 8 + float64(i)})
	}
	result, ok := Fit(samples)
	if !ok || result.Terms != 0 || result.A != 12 || result.C != 0 {
		t.Fatalf("Fit() = %+v, %v, want a point at the median, 12", result, ok)
	}
	if got := tct.Of(result.Event("count", 9)).Seconds(1); math.Abs(got-6) > 1e-3 {
		t.Errorf("on an idle core %v s, want 6", got)
	}
}

func TestFitRefusesWhatIsNoSample(t *testing.T) {
	good := Sample{Residual: 0.5, Known: 0.5, Seconds: 1}
	bad := []Sample{
		{Residual: math.NaN(), Known: 1, Seconds: 1}, {Residual: 1, Known: math.Inf(1), Seconds: 1},
		{Residual: 1, Known: 1, Seconds: math.NaN()}, {Residual: 1, Known: 1}, {Residual: 1, Known: 1, Seconds: -1},
	}
	if _, ok := Fit(append([]Sample{good, good, good, good}, bad...)); ok {
		t.Error("Fit(four usable samples) = a model, want none")
	}
	var w Window
	for _, s := range bad {
		if w.Add(s) {
			t.Errorf("Add(%+v) = true, want it refused", s)
		}
	}
	if w.Seen != 0 || len(w.Samples()) != 0 {
		t.Errorf("window after refused samples = %+v, want it empty", w)
	}
}

func TestFitIsFiniteOnAnything(t *testing.T) {
	rng := seeded(t)
	for range 300 {
		samples := make([]Sample, 5+rng.IntN(30))
		for i := range samples {
			samples[i] = Sample{Residual: rng.Float64()*3 - 1, Known: rng.Float64(), Seconds: math.Exp(rng.Float64()*60 - 30)}
		}
		result, ok := Fit(samples)
		for _, x := range []float64{result.A, result.B, result.C, result.D, result.Low, result.High, result.Score.NRMSE} {
			if !ok || !finite(x) {
				t.Fatalf("Fit(%+v) = %+v, want finite values", samples, result)
			}
		}
		if result.A < 0 || result.C < 0 {
			t.Fatalf("Fit() = %+v, want no negative coefficient", result)
		}
	}
}

func TestEvaluate(t *testing.T) {
	curve := tct.Of(&subjects.Fitted{A: 10, Low: 0, High: 1}) // ten seconds anywhere
	samples := []Sample{
		{Residual: 1, Known: 0.5, Seconds: 6}, {Residual: 1, Known: 0.5, Seconds: 10},
		{Residual: 1, Known: 0.5, Seconds: 13}, {Residual: 1, Known: 1, Seconds: 16},
	}
	// Errors 4, 0, −3, −6: RMSE √(61/4), over the range of 10.
	got := evaluate(predictor{curve: curve}, samples)
	if math.Abs(got.RMSE-math.Sqrt(61.0/4)) > 1e-3 || math.Abs(got.NRMSE-got.RMSE/10) > 1e-9 {
		t.Errorf("evaluate() = RMSE %v, NRMSE %v, want %v, a tenth of it", got.RMSE, got.NRMSE, math.Sqrt(61.0/4))
	}
	if got.Over != 0.25 || got.Under != 0.5 {
		t.Errorf("over %v, under %v; want 0.25 and 0.5", got.Over, got.Under)
	}
}

func BenchmarkFit(b *testing.B) {
	for _, n := range []int{5, 40, 256} {
		samples := draw(rand.New(rand.NewPCG(1, 1)), n, 0.05, 0.1, curves["two exponentials"])
		b.Run(strconv.Itoa(n), func(b *testing.B) { benchmark(b, samples) })
		vary(rand.New(rand.NewPCG(1, 2)), samples, 0.3)
		b.Run(strconv.Itoa(n)+" of different sizes", func(b *testing.B) { benchmark(b, samples) })
	}
}

func benchmark(b *testing.B, samples []Sample) {
	b.ReportAllocs()
	for b.Loop() {
		Fit(samples)
	}
}

func BenchmarkRefitAfterAJump(b *testing.B) {
	var w Window
	for i, s := range draw(rand.New(rand.NewPCG(1, 1)), 400, 0.05, 0.1, curves["two exponentials"]) {
		if i >= 387 {
			s.Seconds *= 1.6
		}
		w.Add(s)
	}
	b.ReportAllocs()
	for b.Loop() {
		Refit(&w, nil)
	}
}

func BenchmarkAdd(b *testing.B) {
	var w Window
	samples := draw(rand.New(rand.NewPCG(1, 1)), 1024, 0.05, 0.1, curves["two exponentials"])
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		w.Add(samples[i%len(samples)])
		i++
	}
}

func TestAFirstGuessSaysHowLittleItKnows(t *testing.T) {
	var l learner
	for i, seconds := range []float64{8, 4, 5} {
		l.w.Add(Sample{Residual: 0.5, Known: 0.5, Seconds: seconds})
		if Due(&l.w, l.last, l.curve, 0) {
			t.Fatalf("Due() = true after %d tasks of a stage that runs, want false", i+1)
		}
	}
	if !Due(&l.w, l.last, l.curve, 3) {
		t.Fatal("Due() = false when the stage is over, want true")
	}
	result, ok := Refit(&l.w, nil)
	first := result.Event("t", l.w.Count())
	if !ok || !first.Few() || tct.Of(first).Seconds(0.5) != 5 || first.Fast > 0.5 || first.Slow < 2 {
		t.Errorf("model of times around 5 s at half a core = %+v, want few samples, 5 s, 0.5 to 2 times", first)
	}
	if Due(&l.w, first, tct.Of(first), 3) {
		t.Error("Due() = true with nothing new, want false")
	}
}

func TestFewSamplesReplaceNoModel(t *testing.T) {
	var w Window
	w.Add(Sample{Residual: 1, Known: 1, Seconds: 8})
	if got, ok := Refit(&w, &subjects.Fitted{Type: "t", A: 1, Low: 0.1, High: 1, Samples: 40}); ok {
		t.Errorf("Refit(one task) = %+v, want the model of 40 tasks kept", got)
	}
}
