package sim

import (
	"cmp"
	"slices"
)

// reads is how fast a run read, for how long each.
type reads []struct{ rate, seconds float64 }

func (r *reads) add(rate, seconds float64) {
	if n := len(*r); n > 0 && (*r)[n-1].rate == rate {
		(*r)[n-1].seconds += seconds
		return
	}
	*r = append(*r, struct{ rate, seconds float64 }{rate, seconds})
}

// percentile returns the rate at or below which the run read for nine tenths of the time.
func (r reads) percentile() float64 {
	slices.SortFunc(r, func(a, b struct{ rate, seconds float64 }) int { return cmp.Compare(a.rate, b.rate) })
	total, sum := 0.0, 0.0
	for _, each := range r {
		total += each.seconds
	}
	for _, each := range r {
		if sum += each.seconds; sum >= 0.9*total {
			return each.rate
		}
	}
	return 0
}
