package flow

import "math"

// Sharing is a set of links and of flows over them. The zero value is empty.
type Sharing struct {
	links []link
	flows []flow
	loads []load  // those of one flow adjoin
	open  []int32 // links that may still fill up
}

type link struct {
	capacity float64
	last     int32 // of its loads, -1 for none
	flows    int32 // that load it
	sum      float64

	// While filling:
	rising int32   // flows whose rates rise still
	slope  float64 // load that they add for each unit of level
	used   float64 // load of the others
}

type flow struct {
	weight, rate float64
	first, end   int32 // its loads
	gone, fixed  bool
}

type load struct {
	link, flow int32
	before     int32 // the load before it of the same link, -1 for none
	per        float64
}

// Reset removes all links and flows, and keeps the room.
func (s *Sharing) Reset() {
	s.links, s.flows, s.loads = s.links[:0], s.flows[:0], s.loads[:0]
}

// Flows is the number of flows so far, with those that were removed.
func (s *Sharing) Flows() int { return len(s.flows) }

// Link adds a link and returns its number, from 0.
func (s *Sharing) Link(capacity float64) int {
	s.links = append(s.links, link{capacity: capacity, last: -1})
	return len(s.links) - 1
}

// Flow adds a flow, which loads nothing yet, and returns its number, from 0. While no link bounds
// them, the rates of flows are in proportion to their weights.
func (s *Sharing) Flow(weight float64) int {
	n := int32(len(s.loads))
	s.flows = append(s.flows, flow{weight: weight, first: n, end: n})
	return len(s.flows) - 1
}

// Load has the flow that was added last load a link with per times its rate. A link may be named once
// a flow.
func (s *Sharing) Load(link int, per float64) {
	if !(per > 0) {
		return
	}
	l, n := &s.links[link], len(s.flows)-1
	s.loads = append(s.loads, load{int32(link), int32(n), l.last, per})
	l.last = int32(len(s.loads) - 1)
	l.flows++
	l.sum += s.flows[n].weight * per
	s.flows[n].end++
}

// Remove takes a flow out; the others keep their numbers.
func (s *Sharing) Remove(flow int) {
	f := &s.flows[flow]
	f.gone = true
	for _, at := range s.loads[f.first:f.end] {
		l := &s.links[at.link]
		l.flows--
		l.sum -= f.weight * at.per
	}
}

// Rate is the rate that the last Fill gave a flow. One that loads no link has no bound: +Inf.
func (s *Sharing) Rate(flow int) float64 { return s.flows[flow].rate }

// Fill computes the rates.
func (s *Sharing) Fill() {
	s.begin()
	for len(s.open) > 0 {
		level := math.Inf(1)
		for _, i := range s.open {
			level = min(level, s.links[i].fullAt())
		}
		// Links that fill up at the same level, but for rounding, are full together.
		level *= 1 + 1e-12
		for _, i := range s.open {
			if l := &s.links[i]; l.rising > 0 && l.fullAt() <= level {
				s.fix(i, level)
			}
		}
		s.narrow()
	}
}

// fullAt is the level at which the link is full, if no more flows stop.
func (l *link) fullAt() float64 { return max(l.capacity-l.used, 0) / l.slope }

// begin has all flows rise.
func (s *Sharing) begin() {
	s.open = s.open[:0]
	for i := range s.links {
		l := &s.links[i]
		l.rising, l.slope, l.used = l.flows, l.sum, 0
		if l.flows > 0 {
			s.open = append(s.open, int32(i))
		}
	}
	for i := range s.flows {
		f := &s.flows[i]
		f.fixed, f.rate = f.gone, math.Inf(1)
		if f.gone {
			f.rate = 0
		}
	}
}

// fix stops the flows over a link at a level.
func (s *Sharing) fix(link int32, level float64) {
	for i := s.links[link].last; i >= 0; i = s.loads[i].before {
		f := &s.flows[s.loads[i].flow]
		if f.fixed {
			continue
		}
		f.fixed, f.rate = true, f.weight*level
		for _, at := range s.loads[f.first:f.end] {
			l := &s.links[at.link]
			l.rising--
			l.slope -= f.weight * at.per
			l.used += f.rate * at.per
		}
	}
}

// narrow keeps the links that may still fill up.
func (s *Sharing) narrow() {
	kept := s.open[:0]
	for _, i := range s.open {
		if s.links[i].rising > 0 {
			kept = append(kept, i)
		}
	}
	s.open = kept
}
