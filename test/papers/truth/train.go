package truth

import (
	"fmt"
	"math"
	"math/rand/v2"

	"lull/sim"
	"lull/slotter/fit"
	"lull/subjects"
)

const (
	// trained is how many tasks a type is trained with; MIMP's figure 6 shows
	// clouds of about as many.
	trained = 160
	// residualNoise is how far the residual known when a task begins is from its mean over the run, as a
	// deviation: MIMP draws the web load anew for each task, and knows it only at the begin
	// (section 6.3.1).
	residualNoise = 0.05
)

// Train returns the models that a training run teaches: tasks at residuals drawn from 0.05 to 1,
// each with noise of its own, fitted by the same code that the slotter learns with.
func Train(set []sim.Truth, rng *rand.Rand) ([]subjects.Fitted, error) {
	models := make([]subjects.Fitted, 0, len(set))
	for i := range set {
		result, ok := fit.Fit(samples(&set[i], rng))
		if !ok {
			return nil, fmt.Errorf("%s: no model fits its training samples", set[i].Type)
		}
		models = append(models, *result.Event(set[i].Type, trained))
	}
	return models, nil
}

func samples(t *sim.Truth, rng *rand.Rand) []fit.Sample {
	list := make([]fit.Sample, trained)
	for i := range list {
		known := 0.05 + 0.95*rng.Float64()
		mean := min(max(known+residualNoise*rng.NormFloat64(), 0.05), 1)
		list[i] = fit.Sample{Known: known, Residual: mean, Seconds: Seconds(t, mean) * Factor(t.Noise, rng)}
	}
	return list
}

// Factor draws a task's own factor: log-normal, with mean 1.
func Factor(noise float64, rng *rand.Rand) float64 {
	return math.Exp(noise*rng.NormFloat64() - noise*noise/2)
}
