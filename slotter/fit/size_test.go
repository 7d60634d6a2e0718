package fit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"lull/subjects/tct"
)

const unit = 64 << 20 // bytes that draw's curves are for

// vary gives the samples inputs of a quarter of unit to four times that, and
// the time that goes with them.
func vary(rng *rand.Rand, samples []Sample, fixed float64) {
	for i := range samples {
		scale := math.Exp2(4*rng.Float64() - 2)
		samples[i].Bytes = scale * unit
		samples[i].Seconds *= fixed + (1-fixed)*scale
	}
}

func TestFitRecoversCurvesAtSeveralSizes(t *testing.T) {
	for name, curve := range curves {
		for _, fixed := range []float64{0, 0.3, 0.9} {
			t.Run(fmt.Sprintf("%s, %.0f %% fixed", name, 100*fixed), func(t *testing.T) {
				rng := seeded(t)
				samples := draw(rng, 200, 0.05, 0.08, curve)
				vary(rng, samples, fixed)
				result, _ := Fit(samples)
				model := result.Event("t", 200)
				curves := tct.NewCurves()
				for r := 0.2; r <= 1; r += 0.16 {
					for _, scale := range []float64{0.3, 1, 3, 10} {
						got := curves.Of(model, 0, int64(scale*unit)).Seconds(r)
						if want := curve(r) * (fixed + (1-fixed)*scale); math.Abs(got-want) > 0.2*want {
							t.Errorf("at %.2f with %v of the input %.4g s, want %.4g (%+v)", r, scale, got, want, result)
						}
					}
				}
			})
		}
	}
}

func TestOneSizeTellsNothingOfOthers(t *testing.T) {
	samples := draw(seeded(t), 60, 0.1, 0.05, curves["conserved work"])
	for i := range samples {
		samples[i].Bytes = unit * (1 + 0.01*float64(i%3))
	}
	result, _ := Fit(samples)
	if result.Fixed != 0 || math.Abs(result.Size/unit-1) > 0.02 || result.Least != unit {
		t.Errorf("%+v: want time in proportion to the input from %d bytes on", result, unit)
	}
}

func TestUnknownSizesAreLeftOut(t *testing.T) {
	samples := draw(seeded(t), 30, 0.1, 0.05, curves["conserved work"])
	samples[3].Bytes, samples[7].Bytes = 5, 5e9
	if result, _ := Fit(samples); result.Size != 0 || result.Fixed != 0 || result.Most != 0 {
		t.Errorf("Fit(two known sizes of thirty) = %+v, want no law of sizes", result)
	}
}

func TestHungTasksDoNotBendTheSizeLaw(t *testing.T) {
	rng := seeded(t)
	samples := draw(rng, 200, 0.05, 0.05, curves["conserved work"])
	vary(rng, samples, 0.4)
	for i := 0; i < len(samples); i += 9 {
		samples[i].Seconds *= 30
	}
	if result, _ := Fit(samples); math.Abs(result.Fixed-0.4) > 0.1 {
		t.Errorf("fixed share %.2f, want 0.4 (%+v)", result.Fixed, result)
	}
}

func TestReadRateIsThatOfAnIdleCore(t *testing.T) {
	samples := draw(seeded(t), 100, 0.2, 0.02, curves["conserved work"])
	for i := range samples {
		samples[i].Read = 1e6 * samples[i].Residual * (0.5 + float64(i%11)/10) // slowed down with the task
	}
	result, _ := Fit(samples)
	if math.Abs(result.Read90/1.4e6-1) > 0.1 {
		t.Errorf("%.3g B/s, want the ninetieth percentile of 0.5 to 1.5 MB/s, 1.4", result.Read90)
	}
}
