// Package outlook says what a host is expected to leave idle: now, in the next hour, and later, by
// what it left lately and on average.
package outlook

import (
	"time"

	"lull/admission/span"
	"lull/subjects/room"
	"lull/subjects/tct"
)

// The future is cut into spans. The last five minutes count nine tenths for the next ten. What the
// host leaves on average counts for all that is more than an hour away, half of each between. A
// host without earlier samples is taken to leave half of its cores on average, or what it leaves
// now if that is more. In an hour its own readings weigh as much as that.
const (
	Spans     = 3
	unknown   = 0.5
	Believing = float64(time.Hour / time.Second)
)

var (
	// Bounds are the ends of the spans, counted from now.
	Bounds = [Spans]span.Micros{10 * 60e6, 60 * 60e6, span.Horizon}
	// present is the weight of the last minutes in each.
	present = [Spans]float64{0.9, 0.5, 0}
)

// Outlook is what a host is expected to leave idle: how many slots run at once in each span, and
// the residual of each of them then, in hundredths.
type Outlook struct {
	Slots [Spans]int
	Step  [Spans]int
}

// Expect makes the outlook of a host by its idle cores now and on average. What it keeps in
// reserve runs nothing.
func Expect(now, usual float64, slots int, kept room.Reserve) (o Outlook) {
	for k := range Spans {
		idle := present[k]*now + (1-present[k])*usual
		n, r := tct.Fill(idle, kept.Slots(idle, slots))
		o.Slots[k], o.Step[k] = n, tct.Step(r)
	}
	return o
}

// Most is how many slots are ever busy at once.
func (o *Outlook) Most() int { return max(o.Slots[0], o.Slots[1], o.Slots[2]) }

// First is the residual of a slot in the first span in which it runs anything.
func (o *Outlook) First(nth int) int {
	for k := range Spans {
		if nth < o.Slots[k] {
			return o.Step[k]
		}
	}
	return 0
}

// Opens is when the nth slot runs tasks at or after a time; horizon for never again.
func (o *Outlook) Opens(nth int, at span.Micros) span.Micros {
	for k := range Spans {
		if at < Bounds[k] && nth < o.Slots[k] {
			return at
		}
		at = max(at, Bounds[k])
	}
	return span.Horizon
}

// Ends returns when a task ends that begins at a time and takes so many times what its curve says,
// if the slot's residual in each span is as expected.
func (o *Outlook) Ends(c *tct.Curve, nth int, at span.Micros, times float64) span.Micros {
	left := 1.0 // of the task
	for k := range Spans {
		if at >= Bounds[k] || nth >= o.Slots[k] {
			at = max(at, Bounds[k])
			continue
		}
		whole := c.At(o.Step[k]) * times
		if end := at + span.Of(left*whole); end <= Bounds[k] || k == Spans-1 {
			return min(end, span.Horizon)
		}
		left -= float64(Bounds[k]-at) / 1e6 / whole
		at = Bounds[k]
	}
	return span.Horizon
}

// Usual is what a host is taken to leave on average, in cores.
func (w *Window) Usual(now float64) float64 {
	if w.Observed <= 0 {
		return now // an agent of an earlier release: the present is all there is
	}
	guess := max(now, unknown*w.Cores)
	return (w.Mean*w.Observed + guess*Believing) / (w.Observed + Believing)
}

// Warp turns the time that a pool of the last span's capacity would take for some work into the
// time that this pool takes, which has more or less to give before.
type Warp [Spans]float64 // capacity in each span, over that in the last

// Add counts what a host is expected to leave.
func (w *Warp) Add(o *Outlook) {
	for k := range Spans {
		w[k] += float64(o.Slots[k] * o.Step[k])
	}
}

// Relate sets the capacities, once all hosts are added, in relation to the last.
func (w *Warp) Relate() {
	last := w[Spans-1]
	for k := range Spans {
		if w[k] /= last; last == 0 {
			w[k] = 1
		}
	}
}

// Steady is the warp of a pool that always has the same to give.
var Steady = Warp{1, 1, 1}

// Real is when so much of the last span's time has passed.
func (w *Warp) Real(even span.Micros) span.Micros {
	if even >= span.Horizon {
		return span.Horizon
	}
	from := span.Micros(0)
	for k := range Spans - 1 {
		passes := span.Micros(float64(Bounds[k]-from) * w[k])
		if even <= passes && w[k] > 0 {
			return from + span.Micros(float64(even)/w[k])
		}
		even -= passes
		from = Bounds[k]
	}
	return min(from+even, span.Horizon)
}

// Even is the inverse of real.
func (w *Warp) Even(actual span.Micros) (even span.Micros) {
	from := span.Micros(0)
	for k := range Spans {
		to := min(actual, Bounds[k])
		even += span.Micros(float64(to-from) * w[k])
		if actual <= Bounds[k] {
			break
		}
		from = Bounds[k]
	}
	return even
}
