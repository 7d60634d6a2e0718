package flow

import "math"

// tiny is what rounding leaves of a load, as a part of all that was there.
const tiny = 1e-10

// Fill computes the rates.
func (s *Sharing) Fill() {
	s.begin()
	for s.rising > 0 {
		level := s.narrow()
		if math.IsInf(level, 1) {
			return
		}
		// Links that fill up at the same level, but for rounding, are full together.
		level *= 1 + 1e-12
		s.full = s.full[:0]
		for _, i := range s.open {
			if s.links[i].at <= level {
				s.full = append(s.full, i)
			}
		}
		for _, i := range s.full {
			s.fix(i, level)
		}
		s.settle()
	}
}

// begin has all flows rise.
func (s *Sharing) begin() {
	for i := range s.links {
		l := &s.links[i]
		l.slope, l.least, l.used = l.sum, l.plus, 0
	}
	for i := range s.commons {
		c := &s.commons[i]
		if c.slope, c.used = 0, 0; c.flows == 0 {
			continue
		}
		links, vector := s.loadsOf(i)
		for _, at := range links {
			s.links[at].slope += c.sum * vector[at]
			s.links[at].least += c.sum * vector[at]
		}
	}
	s.open = s.open[:0]
	for i := range s.links {
		l := &s.links[i]
		if l.least *= tiny; l.slope > l.least {
			s.open = append(s.open, int32(i))
		}
	}
	s.rising = 0
	for i := range s.flows {
		f := &s.flows[i]
		f.fixed, f.rate = f.gone, math.Inf(1)
		if f.gone {
			f.rate = 0
		} else {
			s.rising++
		}
	}
}

// fix stops the flows over a link at a level. The link is full from now on, whatever rounding says.
func (s *Sharing) fix(link int32, level float64) {
	for i := s.links[link].last; i >= 0; i = s.loads[i].before {
		if at := &s.loads[i]; at.per > 0 {
			s.stop(&s.flows[at.flow], level)
		}
	}
	for i := range s.commons {
		per := s.vector(i)[link]
		if per <= 0 {
			continue
		}
		for at := s.commons[i].last; at >= 0; at = s.flows[at].before {
			f := &s.flows[at]
			if !f.fixed && f.per*per+s.own(f, link) > f.per*per*tiny {
				s.stop(f, level)
			}
		}
	}
	s.links[link].least = math.Inf(1)
}

// stop fixes a flow's rate. What its common loads is counted by settle.
func (s *Sharing) stop(f *flow, level float64) {
	if f.fixed {
		return
	}
	f.fixed, f.rate = true, f.weight*level
	s.rising--
	for _, at := range s.loads[f.first:f.end] {
		l := &s.links[at.link]
		l.slope -= f.weight * at.per
		l.used += f.rate * at.per
	}
	if f.common >= 0 {
		c := &s.commons[f.common]
		c.slope += f.weight * f.per
		c.used += f.rate * f.per
	}
}

// narrow keeps the links over which flows rise still, and returns the level at which the first of them is
// full, if no more flows stop: +Inf if there is none.
func (s *Sharing) narrow() float64 {
	first, kept := math.Inf(1), s.open[:0]
	for _, i := range s.open {
		l := &s.links[i]
		if l.slope <= l.least {
			continue
		}
		l.at = max(l.capacity-l.used, 0) / l.slope
		first = min(first, l.at)
		kept = append(kept, i)
	}
	s.open = kept
	return first
}
