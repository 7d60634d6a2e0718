package supply

import "lull/subjects/tct"

// Supply counts the pool's slots, by the residual that they have when batch takes all it
// can get, and the cores that it can get. The zero value is an empty pool.
type Supply struct {
	slots   [tct.Steps + 1]int
	parts   [tct.Steps + 1]int // idle cores, by how much of each is idle
	all     int                // slots
	changes uint64             // so far

	seen   uint64 // changes that the rest is of
	idle   int    // hundredths of a core
	median int
}

// Slots is the number of slots that batch could fill.
func (s *Supply) Slots() int { return s.all }

// Changes is how often the supply has changed.
func (s *Supply) Changes() uint64 { return s.changes }

// Replace counts another offer of a host than before.
func (s *Supply) Replace(before, now Offer) {
	s.add(before, -1)
	s.add(now, 1)
	s.changes++
}

func (s *Supply) add(o Offer, n int) {
	s.slots[o.step] += n * o.slots
	s.all += n * o.slots
	s.parts[tct.Steps] += n * o.whole
	s.parts[o.part] += n
}

// Usual returns the step of residual of a usual slot: half of the pool's idle CPU is in slots with
// at least that residual. One idle host among many loaded ones does not make their slots worthless.
func (s *Supply) Usual() int {
	s.weigh()
	return s.median
}

// Cores is the number of cores that the pool has idle.
func (s *Supply) Cores() float64 {
	s.weigh()
	return float64(s.idle) / tct.Steps
}

func (s *Supply) weigh() {
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
