package admission

import (
	"time"

	"lull/subjects/room"
	"lull/subjects/tct"
)

// The future is cut into spans. The last five minutes count nine tenths for the next ten. What the
// host leaves on average counts for all that is more than an hour away, half of each between. A
// host without earlier samples is taken to leave half of its cores on average, or what it leaves
// now if that is more. In an hour its own readings weigh as much as that.
const (
	spans     = 3
	unknown   = 0.5
	believing = float64(time.Hour / time.Second)
)

var (
	// bounds are the ends of the spans, counted from now.
	bounds = [spans]micros{10 * 60e6, 60 * 60e6, horizon}
	// present is the weight of the last minutes in each.
	present = [spans]float64{0.9, 0.5, 0}
)

// outlook is what a host is expected to leave idle: how many slots run at once in each span, and
// the residual of each of them then, in hundredths.
type outlook struct {
	slots [spans]int
	step  [spans]int
}

// expect makes the outlook of a host by its idle cores now and on average. What it keeps in
// reserve runs nothing.
func expect(now, usual float64, slots int, kept room.Reserve) (o outlook) {
	for k := range spans {
		idle := present[k]*now + (1-present[k])*usual
		n, r := tct.Fill(idle, kept.Slots(idle, slots))
		o.slots[k], o.step[k] = n, tct.Step(r)
	}
	return o
}

// most is how many slots are ever busy at once.
func (o *outlook) most() int { return max(o.slots[0], o.slots[1], o.slots[2]) }

// first is the residual of a slot in the first span in which it runs anything.
func (o *outlook) first(nth int) int {
	for k := range spans {
		if nth < o.slots[k] {
			return o.step[k]
		}
	}
	return 0
}

// opens is when the nth slot runs tasks at or after a time; horizon for never again.
func (o *outlook) opens(nth int, at micros) micros {
	for k := range spans {
		if at < bounds[k] && nth < o.slots[k] {
			return at
		}
		at = max(at, bounds[k])
	}
	return horizon
}

// ends returns when a task ends that begins at a time and takes so many times what its curve says,
// if the slot's residual in each span is as expected.
func (o *outlook) ends(c *tct.Curve, nth int, at micros, times float64) micros {
	left := 1.0 // of the task
	for k := range spans {
		if at >= bounds[k] || nth >= o.slots[k] {
			at = max(at, bounds[k])
			continue
		}
		whole := c.At(o.step[k]) * times
		if end := at + spanOf(left*whole); end <= bounds[k] || k == spans-1 {
			return min(end, horizon)
		}
		left -= float64(bounds[k]-at) / 1e6 / whole
		at = bounds[k]
	}
	return horizon
}

// usual is what a host is taken to leave on average, in cores.
func (w *window) usual(now float64) float64 {
	if w.observed <= 0 {
		return now // an agent of an earlier release: the present is all there is
	}
	guess := max(now, unknown*w.cores)
	return (w.mean*w.observed + guess*believing) / (w.observed + believing)
}

// warp turns the time that a pool of the last span's capacity would take for some work into the
// time that this pool takes, which has more or less to give before.
type warp [spans]float64 // capacity in each span, over that in the last

func warpOf(offers []offer) (w warp) {
	for i := range offers {
		for k := range spans {
			w[k] += float64(offers[i].slots[k] * offers[i].step[k])
		}
	}
	last := w[spans-1]
	for k := range spans {
		if w[k] /= last; last == 0 {
			w[k] = 1
		}
	}
	return w
}

// steady is the warp of a pool that always has the same to give.
var steady = warp{1, 1, 1}

// real is when so much of the last span's time has passed.
func (w *warp) real(even micros) micros {
	if even >= horizon {
		return horizon
	}
	from := micros(0)
	for k := range spans - 1 {
		passes := micros(float64(bounds[k]-from) * w[k])
		if even <= passes && w[k] > 0 {
			return from + micros(float64(even)/w[k])
		}
		even -= passes
		from = bounds[k]
	}
	return min(from+even, horizon)
}

// even is the inverse of real.
func (w *warp) even(actual micros) (even micros) {
	from := micros(0)
	for k := range spans {
		to := min(actual, bounds[k])
		even += micros(float64(to-from) * w[k])
		if actual <= bounds[k] {
			break
		}
		from = bounds[k]
	}
	return even
}
