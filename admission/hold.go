package admission

import (
	"slices"

	"lull/admission/span"
)

// compared is how many seats a seat is compared with, those that are free soonest among them.
const compared = 64

// holds reports whether a task should wait for another seat than take this one: the seats on which
// it would end sooner end even the last of so many waiting tasks sooner than this seat ends one.
// Policies leave such slots empty, or start a second attempt on a better one.
func (p *play) holds(q *part, k int, s *seat, waiting int) bool {
	t := &q.terms[k]
	if p.hasty || s.step >= p.best || t.unit.class.cpu > 1 {
		return false
	}
	times, lead := t.unit.worth*q.slow(k), t.lead()
	here, best, rate := s.Ends(t.unit.curve, s.nth, s.free+lead, times), span.Horizon, 0.0
	for i := range p.seats[:min(len(p.seats), compared)] {
		o := &p.seats[i]
		if o.step <= s.step || !t.unit.class.fits(o) {
			continue
		}
		from := max(o.free, s.free)
		if end := o.Ends(t.unit.curve, o.nth, from+lead, times); end < here {
			best = min(best, end)
			rate += 1 / float64(max(end-from, 1))
		}
	}
	return rate > 0 && best+span.Micros(float64(waiting-1)/rate) < here
}

// hold sets the top seat aside.
func (p *play) hold() { p.held = append(p.held, p.seats.pop()) }

// reconsider brings the best seat back that was set aside, because a seat that tasks wait for
// was taken at a time. If that one is set aside again, so would be all others.
func (p *play) reconsider(at span.Micros) {
	if len(p.held) == 0 {
		return
	}
	best := 0
	for i := range p.held {
		if p.held[i].step > p.held[best].step {
			best = i
		}
	}
	s := p.held[best]
	p.held = slices.Delete(p.held, best, best+1)
	s.free = max(s.free, at)
	p.seats.push(s)
}

// hurry brings all seats back that were set aside, because no other is left.
func (p *play) hurry() {
	p.hasty = true
	p.seats = append(p.seats, p.held...)
	p.held = p.held[:0]
	p.seats.order()
}
