package slotter

import "lull/subjects/tct"

// supply counts the pool's slots, by the residual that they have when batch
// takes all it can get, and the cores that it can get.
type supply struct {
	slots   [tct.Steps + 1]int
	parts   [tct.Steps + 1]int // idle cores, by how much of each is idle
	all     int                // slots
	changes uint64             // so far

	seen   uint64 // changes that the rest is of
	idle   int    // hundredths of a core
	median int
}

// offer is what a host adds to the supply.
type offer struct {
	slots, step int // how many batch could fill, and their residual step then
	whole, part int // idle cores, and the step of what is left of another one
}

// offer is nothing while the host takes no tasks.
func (h *host) offer() (o offer) {
	if !h.life.Open() {
		return o
	}
	slots, residual := tct.Fill(h.idle, h.slots)
	o.slots, o.step = slots, tct.Step(residual)
	o.whole = min(slots, int(h.idle))
	if o.whole < slots {
		o.part = tct.Step(h.idle - float64(o.whole))
	}
	return o
}

func (s *supply) count(h *host) {
	now := h.offer()
	if now == h.offered {
		return
	}
	s.add(h.offered, -1)
	s.add(now, 1)
	h.offered = now
	s.changes++
}

func (s *supply) add(o offer, n int) {
	s.slots[o.step] += n * o.slots
	s.all += n * o.slots
	s.parts[tct.Steps] += n * o.whole
	s.parts[o.part] += n
}

// usual is the step of residual of a usual slot: half of what the pool has idle
// is idle by that much a core, or more. One idle host among many loaded ones
// does not make their slots worthless.
func (s *supply) usual() int {
	s.weigh()
	return s.median
}

// cores are what the pool has idle.
func (s *supply) cores() float64 {
	s.weigh()
	return float64(s.idle) / tct.Steps
}

func (s *supply) weigh() {
	if s.seen == s.changes+1 {
		return
	}
	s.seen, s.idle = s.changes+1, 0
	for step, n := range s.parts {
		s.idle += step * n
	}
	above := 0
	for s.median = tct.Steps; s.median > 0; s.median-- {
		if above += s.median * s.parts[s.median]; 2*above >= s.idle {
			return
		}
	}
}
