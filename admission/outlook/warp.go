package outlook

import (
	"iter"

	"lull/admission/span"
)

// Warp turns the time that a pool of the last span's capacity would take for some work into the
// time that this pool takes, which has more or less to give before.
type Warp struct {
	spans int
	of    [Spans]float64 // capacity in each span, over that in the last
}

// NewWarp returns the Warp of a pool of hosts with these outlooks.
func NewWarp(all iter.Seq[*Outlook]) (w Warp) {
	w.spans = plain
	for o := range all {
		w.spans = max(w.spans, int(o.spans))
	}
	for o := range all {
		for k := range w.spans {
			slots, step := o.at(k)
			w.of[k] += float64(slots * step)
		}
	}
	last := w.of[w.spans-1]
	for k := range w.spans {
		if w.of[k] /= last; last == 0 {
			w.of[k] = 1
		}
	}
	return w
}

// Steady is the warp of a pool that always has the same to give.
var Steady = Warp{spans: 1, of: [Spans]float64{1}}

// Real is when so much of the last span's time has passed.
func (w *Warp) Real(even span.Micros) span.Micros {
	if even >= span.Horizon {
		return span.Horizon
	}
	from := span.Micros(0)
	for k := range w.spans - 1 {
		passes := span.Micros(float64(Bounds[k]-from) * w.of[k])
		if even <= passes && w.of[k] > 0 {
			return from + span.Micros(float64(even)/w.of[k])
		}
		even -= passes
		from = Bounds[k]
	}
	return min(from+even, span.Horizon)
}

// Even is the inverse of real.
func (w *Warp) Even(actual span.Micros) (even span.Micros) {
	from := span.Micros(0)
	for k := range w.spans - 1 {
		to := min(actual, Bounds[k])
		even += span.Micros(float64(to-from) * w.of[k])
		if actual <= Bounds[k] {
			return even
		}
		from = Bounds[k]
	}
	return even + span.Micros(float64(actual-from)*w.of[w.spans-1])
}
