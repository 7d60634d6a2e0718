package stat

import (
	"cmp"
	"slices"
	"time"
)

// Median is the median of values, between the two middle ones of an even number, NaN
// without any.
func Median(values []float64) float64 {
	return Quantile(slices.Sorted(slices.Values(values)), 0.5)
}

// MedianRatio is the median of a[i]/b[i]. Both sides of a round run within seconds
// of each other.
func MedianRatio(a, b []float64) float64 {
	each := make([]float64, len(a))
	for i := range a {
		each[i] = a[i] / b[i]
	}
	return Median(each)
}

// Nearest is the q-quantile of durations by the nearest rank, 0 without any.
func Nearest[T cmp.Ordered](d []T, q float64) (none T) {
	if len(d) == 0 {
		return none
	}
	d = slices.Sorted(slices.Values(d))
	return d[min(len(d)-1, int(q*float64(len(d))))]
}

// Milliseconds is a duration in ms.
func Milliseconds(d time.Duration) float64 { return float64(d) / 1e6 }
