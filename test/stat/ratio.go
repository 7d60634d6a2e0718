package stat

import (
	"math"
	"math/rand/v2"
	"slices"
)

const resamples = 2000

// Ratio estimates the relative change Σa/Σb − 1 of paired values. A ratio of
// sums is no mean, so its interval comes from the bootstrap: pairs are drawn
// again with replacement, and the middle 95 % of the ratios is the interval.
// The draws are seeded by the number of pairs: same values, same interval.
func Ratio(a, b []float64) Estimate {
	rng := rand.New(rand.NewPCG(uint64(len(a)), resamples))
	ratios := make([]float64, resamples)
	for i := range ratios {
		var x, y float64
		for range a {
			k := rng.IntN(len(a))
			x, y = x+a[k], y+b[k]
		}
		ratios[i] = x/y - 1
	}
	slices.Sort(ratios)
	return Estimate{sum(a)/sum(b) - 1, Quantile(ratios, 0.025), Quantile(ratios, 0.975)}
}

// Quantile is the q-quantile of sorted values, linear between them, NaN
// without any.
func Quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	at := q * float64(len(sorted)-1)
	low := int(at)
	if low+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[low] + (at-float64(low))*(sorted[low+1]-sorted[low])
}
