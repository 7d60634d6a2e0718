package fit

import (
	"slices"

	"lull/subjects/tct"
)

// readOnIdleCore is the ninetieth percentile of what the samples would have
// read a second on an idle core: the inverse of equation 5. 0 when none was
// measured.
func readOnIdleCore(curve *tct.Curve, samples []Sample) float64 {
	var rates []float64
	for i := range samples {
		if s := &samples[i]; s.Read > 0 {
			rates = append(rates, s.Read*curve.Norm(s.Residual))
		}
	}
	if len(rates) == 0 {
		return 0
	}
	slices.Sort(rates)
	return min(quantile(rates, 0.9), largest) // a steep curve makes any rate large
}
