package interference

import (
	"math/rand/v2"
	"slices"

	"lull/test/stat"
)

// estimate is a median with its 95 % interval.
type estimate struct{ mid, low, high float64 }

const resamples = 2000

// pairedRatio is the median of a[i]/b[i], which ran within seconds of each other, with the middle
// 95 % of the medians of pairs drawn again (bootstrap). It is a median, so that one bad round does
// not decide the result. The draws are seeded by the number of pairs: same values, same interval.
func pairedRatio(a, b []float64) estimate {
	ratios := make([]float64, min(len(a), len(b)))
	for i := range ratios {
		ratios[i] = a[i] / b[i]
	}
	if len(ratios) == 0 {
		return estimate{}
	}
	rng := rand.New(rand.NewPCG(uint64(len(ratios)), resamples))
	medians, drawn := make([]float64, resamples), make([]float64, len(ratios))
	for i := range medians {
		for k := range drawn {
			drawn[k] = ratios[rng.IntN(len(ratios))]
		}
		medians[i] = stat.Median(drawn)
	}
	slices.Sort(medians)
	return estimate{stat.Median(ratios), stat.Quantile(medians, 0.025), stat.Quantile(medians, 0.975)}
}
