package fit

import "math"

const (
	// halfLife is the age, in samples of the model, at which one counts half.
	halfLife = 128
	// faded is the weight of the oldest samples: samples of a loaded host are few, and an outdated
	// time is better than none.
	faded = 1.0 / 16
)

// fade returns what each sample counts by its age, 1 on average.
func fade(samples []Sample) []float64 {
	newest := uint64(0)
	for i := range samples {
		newest = max(newest, samples[i].at)
	}
	weights, sum := make([]float64, len(samples)), 0.0
	for i := range samples {
		weights[i] = max(math.Exp2(-float64(newest-samples[i].at)/halfLife), faded)
		sum += weights[i]
	}
	for i := range weights {
		weights[i] *= float64(len(weights)) / sum
	}
	return weights
}
