// Package outlook says what a host is expected to leave idle: now, in the next hour, and later, by
// what it left lately and on average.
package outlook

import (
	"math"
	"slices"
	"time"

	"lull/admission/span"
	"lull/subjects/room"
	"lull/subjects/tct"
)

// The future is cut into spans. The last five minutes count nine tenths for the next ten. What the
// host leaves on average counts for all that is more than an hour away, half of each between. A
// host without earlier samples is taken to leave half of its cores on average, or what it leaves
// now if that is more. In an hour its own readings weigh as much as that.
//
// Where the day of the host's tenant is known, the time beyond an hour is cut further: see Day.
const (
	plain          = 3  // spans of a host of a tenant without a known day
	Spans          = 20 // spans of others
	unknown        = 0.5
	EnoughObserved = float64(time.Hour / time.Second)
)

const (
	minute = span.Micros(60e6)
	hour   = 60 * minute
)

var (
	// Bounds are the ends of the spans, counted from now. The last span of a host never ends.
	Bounds = [Spans]span.Micros{
		10 * minute, hour, 2 * hour, 3 * hour, 4 * hour, 5 * hour, 6 * hour, 7 * hour, 8 * hour, 9 * hour, 10 * hour, 11 * hour, 12 * hour,
		14 * hour, 16 * hour, 18 * hour, 20 * hour, 22 * hour, 24 * hour, span.Horizon,
	}
	// present is the weight of the last minutes in the first spans.
	present = [...]float64{0.9, 0.5}
)

// share is the weight of the last minutes in a span.
func share(k int) float64 {
	if k < len(present) {
		return present[k]
	}
	return 0
}

// Outlook is what a host is expected to leave idle: how many slots run at once in each span, and
// the residual of each of them then, in hundredths.
type Outlook struct {
	spans uint8
	slots [Spans]uint16
	step  [Spans]uint8
}

// Expect makes the outlook of a host by its idle cores now and on average. What it keeps in
// reserve runs nothing.
func Expect(now, usual float64, slots int, kept room.Reserve) (o Outlook) {
	o.spans = plain
	for k := range plain {
		idle := share(k)*now + (1-share(k))*usual
		n, r := tct.Fill(idle, kept.Slots(idle, slots))
		o.set(k, n, tct.Step(r))
	}
	return o
}

func (o *Outlook) set(k, slots, step int) {
	o.slots[k], o.step[k] = uint16(min(slots, math.MaxUint16)), uint8(step)
}

// at returns the slots that run in a span, and their residual.
func (o *Outlook) at(k int) (slots, step int) {
	k = min(k, int(o.spans)-1)
	return int(o.slots[k]), int(o.step[k])
}

// end is when a span ends.
func (o *Outlook) end(k int) span.Micros {
	if k == int(o.spans)-1 {
		return span.Horizon
	}
	return Bounds[k]
}

// Average returns how many slots run at once on average, and their residual.
func (o *Outlook) Average() (slots, step int) { return o.at(Spans - 1) }

// Most is how many slots are ever busy at once.
func (o *Outlook) Most() int { return int(slices.Max(o.slots[:])) }

// First is the residual of a slot in the first span in which it runs anything.
func (o *Outlook) First(nth int) int {
	for k := range o.spans {
		if nth < int(o.slots[k]) {
			return int(o.step[k])
		}
	}
	return 0
}

// Opens is when the nth slot runs tasks at or after a time; horizon for never again.
func (o *Outlook) Opens(nth int, at span.Micros) span.Micros {
	for k := range int(o.spans) {
		if at < o.end(k) && nth < int(o.slots[k]) {
			return at
		}
		at = max(at, o.end(k))
	}
	return span.Horizon
}

// Ends returns when a task ends that begins at a time and takes so many times what its curve says,
// if the slot's residual in each span is as expected.
func (o *Outlook) Ends(c *tct.Curve, nth int, at span.Micros, times float64) span.Micros {
	left := 1.0 // of the task
	for k := range int(o.spans) {
		until := o.end(k)
		if at >= until || nth >= int(o.slots[k]) {
			at = max(at, until)
			continue
		}
		whole := c.At(int(o.step[k])) * times
		if end := at + span.Of(left*whole); end <= until || k == int(o.spans)-1 {
			return min(end, span.Horizon)
		}
		left -= float64(until-at) / 1e6 / whole
		at = until
	}
	return span.Horizon
}

// Usual is what a host is taken to leave on average, in cores.
func (w *Window) Usual(now float64) float64 {
	if w.Observed <= 0 {
		return now // an agent of an earlier release: the present is all there is
	}
	guess := max(now, unknown*w.Cores)
	return (w.Mean*w.Observed + guess*EnoughObserved) / (w.Observed + EnoughObserved)
}
