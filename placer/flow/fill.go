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
		if s.round == 0 {
			s.hint = s.near[0].link
		}
		for _, l := range s.near {
			s.round++
			s.fix(l.link, level)
		}
		for _, i := range s.active {
			s.settle(&s.commons[i])
		}
		if s.plain == 0 && 4*s.rising < len(s.open) {
			s.reopen()
		}
	}
}

// begin has all flows rise.
func (s *Sharing) begin() {
	copy(s.slope, s.sum)
	clear(s.used)
	s.open = append(s.open[:0], s.own...)
	for i := range s.commons {
		c := &s.commons[i]
		c.head, c.slope, c.used = -1, 0, 0
	}
	kept, plain := s.live[:0], 0
	for _, i := range s.live {
		f := &s.flows[i]
		if f.gone {
			continue
		}
		kept = append(kept, i)
		f.fixed, f.rate, f.spared = false, math.Inf(1), 0
		if f.common >= 0 {
			c := &s.commons[f.common]
			f.after, c.head = c.head, i
			c.slope += float64(f.weight * f.per)
		} else {
			plain++
		}
	}
	s.live, s.rising, s.plain, s.round = kept, len(kept), plain, 0
	s.active = s.active[:0]
	for i := range s.commons {
		if c := &s.commons[i]; c.head >= 0 {
			c.sum = c.slope
			s.active = append(s.active, int32(i))
			s.seal(i)
		}
	}
}

// reopen lists the links of the few flows that rise, in place of those from which most have gone. Links that
// commons load, too, stay: what stopped there by itself can leave a common less than its order reckons with.
func (s *Sharing) reopen() {
	open := s.open[:0]
	for _, l := range s.open {
		if s.links[l.link].mixed {
			open = append(open, l)
		}
	}
	s.open = open
	for _, i := range s.active {
		for at := s.commons[i].head; at >= 0; at = s.flows[at].after {
			f := &s.flows[at]
			if f.fixed {
				continue
			}
			for _, l := range s.loads[f.first:f.end] {
				if l.per > 0 && !s.links[l.link].mixed {
					s.open = append(s.open, s.own[s.links[l.link].own])
				}
			}
		}
	}
}

// fix stops the flows over a link at a level. The link is full from now on, whatever rounding says.
func (s *Sharing) fix(link int32, level float64) {
	for i := s.links[link].last; i >= 0; i = s.loads[i].before {
		at := &s.loads[i]
		f := &s.flows[at.flow]
		switch {
		case f.fixed:
		case at.per > 0:
			s.stop(f, level)
		case f.common >= 0:
			load := float64(f.per * s.vector(int(f.common))[link])
			if load+at.per <= load*tiny {
				f.spared = s.round
			}
		}
	}
	for _, i := range s.active {
		c := &s.commons[i]
		if c.head < 0 || s.vector(int(i))[link] <= 0 {
			continue
		}
		sum := 0.0
		for at := &c.head; *at >= 0; {
			f := &s.flows[*at]
			if f.spared == s.round && !f.fixed {
				sum += float64(f.weight * f.per)
				at = &f.after
				continue
			}
			if !f.fixed {
				s.stop(f, level)
			}
			*at = f.after
		}
		c.slope, c.sum = sum, sum
	}
	s.slope[link] = math.Inf(-1)
}

// stop fixes a flow's rate. It stays in its common's list until settle.
func (s *Sharing) stop(f *flow, level float64) {
	f.fixed, f.rate = true, f.weight*level
	s.rising--
	slope, used := s.slope, s.used[:len(s.slope)]
	for _, at := range s.loads[f.first:f.end] {
		slope[at.link] -= float64(f.weight * at.per)
		used[at.link] += float64(f.rate * at.per)
	}
	if f.common >= 0 {
		c := &s.commons[f.common]
		c.slope -= float64(f.weight * f.per)
		c.used += float64(f.rate * f.per)
	} else {
		s.plain--
	}
}
