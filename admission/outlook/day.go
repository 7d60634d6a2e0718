package outlook

import (
	"time"

	"lull/subjects/room"
	"lull/subjects/survival"
	"lull/subjects/tct"
)

// Day is what the days of a host's tenant say of the time to come, as shares of the host's cores.
type Day struct {
	average float64        // idle
	above   [Spans]float64 // usage expected in each span less the average
}

// NewDay is what a tenant's outlook says at a time. Beyond the last span that has an end all days are alike.
func NewDay(o *survival.Outlook, now time.Time) Day {
	d := Day{average: o.Average()}
	from := now
	for k := range Spans - 1 {
		until := now.Add(Bounds[k].Duration())
		d.above[k] = o.Above(from, until)
		from = until
	}
	return d
}

// Usual is what a host of the tenant is taken to leave on average, in cores. The tenant's average counts as
// much as a day of the host's own readings.
func (d *Day) Usual(w *Window, cores float64) float64 {
	const day = 24 * EnoughObserved
	return (float64(w.Mean*w.Observed) + float64(d.average*cores*day)) / (w.Observed + day)
}

// Expect makes the outlook of a host of the tenant by its idle cores now and on average.
func (d *Day) Expect(now, usual, cores float64, slots int, kept room.Reserve) (o Outlook) {
	o.spans = Spans
	for k := range Spans {
		expected := min(max(usual-float64(cores*d.above[k]), 0), cores)
		idle := float64(share(k)*now) + float64((1-share(k))*expected)
		n, r := tct.Fill(idle, kept.Slots(idle, slots))
		o.set(k, n, tct.Step(r))
	}
	return o
}

// FromIdle makes the outlook of a host by what it is going to leave in each span.
func FromIdle(slots int, kept room.Reserve, idle func(from, until time.Duration) float64) (o Outlook) {
	o.spans = Spans
	from := time.Duration(0)
	for k := range Spans {
		until := Bounds[k].Duration()
		if k == Spans-1 {
			until = 2 * from
		}
		cores := idle(from, until)
		n, r := tct.Fill(cores, kept.Slots(cores, slots))
		o.set(k, n, tct.Step(r))
		from = until
	}
	return o
}
