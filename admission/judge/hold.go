package judge

import (
	"slices"

	"lull/admission/pool"
	"lull/admission/span"
	"lull/subjects/spec"
)

// compared bounds how many seats a seat is compared with. The seats that are free soonest are among them.
const compared = 64

// holds reports whether a task should wait for another seat than take this one: the seats on which
// it would end sooner end even the last of so many waiting tasks sooner than this seat ends one.
// Policies leave such slots empty, or start a second attempt on a better one.
func (p *Play) holds(q *playedJob, k int, s *pool.Seat, waiting int) bool {
	t := &q.Stages[k]
	if p.forced || s.Step >= p.best || t.Unit.Class.Cores() != spec.Core {
		return false
	}
	times, lead := t.Unit.MarginFactor*q.Slow(k), t.Lead()
	here, best, rate := s.Ends(t.Unit.Curve, s.Nth, s.Free+lead, times), span.Horizon, 0.0
	for i := range p.seats[:min(len(p.seats), compared)] {
		o := &p.seats[i]
		if o.Step <= s.Step || !t.Unit.Class.Fits(o) {
			continue
		}
		from := max(o.Free, s.Free)
		if end := o.Ends(t.Unit.Curve, o.Nth, from+lead, times); end < here {
			best = min(best, end)
			rate += 1 / float64(max(end-from, 1))
		}
	}
	return rate > 0 && best+span.Micros(float64(waiting-1)/rate) < here
}

// hold takes the top seat out of the play until reconsider or releaseHeld brings it back.
func (p *Play) hold() { p.held = append(p.held, p.seats.Pop()) }

// reconsider brings the best held seat back, because a better seat was taken at a time. If the play
// holds it again, it would hold all others, too.
func (p *Play) reconsider(at span.Micros) {
	if len(p.held) == 0 {
		return
	}
	best := 0
	for i := range p.held {
		if p.held[i].Step > p.held[best].Step {
			best = i
		}
	}
	s := p.held[best]
	p.held = slices.Delete(p.held, best, best+1)
	s.Free = max(s.Free, at)
	p.seats.Push(s)
}

// releaseHeld brings all held seats back, because no other is left.
func (p *Play) releaseHeld() {
	p.forced = true
	p.seats = append(p.seats, p.held...)
	p.held = p.held[:0]
	p.seats.Order()
}
