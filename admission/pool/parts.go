package pool

import (
	"cmp"
	"slices"

	"lull/admission/span"
	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/subjects/tct"
)

// Tasks of less than a core share slots, and a seat is a slot: it has a lane for each of them, and
// takes another one as long as there is room. Tasks of several cores and a part are taken to fill
// their last slot: what others put there is not promised.

// Lane is a task that shares a seat, until its end.
type Lane struct {
	End  span.Micros
	Part spec.Cores
}

// Small reports whether a task takes less than a core.
func (n *Needs) Small() bool { return n.CPU == 1 && n.Part > 0 }

// Cores is what a task takes.
func (n *Needs) Cores() spec.Cores { return spec.CoresOf(n.CPU, n.Part) }

// each is how many tasks of the class share a slot at most.
func (n *Needs) each() int {
	if !n.Small() {
		return 1
	}
	return int(spec.Core / n.Cores())
}

// slotsFor is how many slots so many tasks take.
func (n *Needs) slotsFor(tasks int) int { return (tasks*int(n.CPU) + n.each() - 1) / n.each() }

// running lists the lanes with tasks at a time. The list is never changed in place: copies of the
// seat share it.
func (s *Seat) running(at span.Micros) (all []Lane) {
	if len(s.Lanes) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(s.Lanes), func(l Lane) bool { return l.End <= at })
}

// used is what lanes take of the seat when it is free next.
func (s *Seat) used() (sum spec.Cores) {
	for _, l := range s.Lanes {
		if l.End > s.Free {
			sum += l.Part
		}
	}
	return sum
}

// Opening is when the first of the tasks ends that share the seat now; horizon if none does.
func (s *Seat) Opening() span.Micros {
	first := span.Horizon
	for _, l := range s.Lanes {
		if l.End > s.Free {
			first = min(first, l.End)
		}
	}
	return first
}

// clear is when the whole seat is free.
func (s *Seat) clear() span.Micros {
	at := s.Free
	for _, l := range s.Lanes {
		at = max(at, l.End)
	}
	return at
}

// Level is when the seat is free on average over what its lanes take.
func (s *Seat) Level() span.Micros {
	sum := s.Free
	for _, l := range s.Lanes {
		if l.End > s.Free {
			sum += span.Micros(float64(l.End-s.Free) * l.Part.Float())
		}
	}
	return sum
}

// hasRoom reports whether a task of the class has room on the seat when that is free next.
func (c *Class) hasRoom(s *Seat) bool {
	if len(s.Lanes) == 0 {
		return true
	}
	used := s.used()
	if !c.Small() {
		return used == 0
	}
	return used+c.Cores() <= spec.Core && len(s.running(s.Free)) < c.beside(s.Offer)
}

// beside is how many tasks share a slot of an offer: fewer if its memory is short.
func (c *Class) beside(offer int) int {
	if offer < len(c.sharing) {
		return c.sharing[offer]
	}
	return c.each()
}

// share runs a task of less than a core on the top seat, beside others.
func (s Seats) share(part spec.Cores, lead span.Micros, c *tct.Curve, times float64) (end span.Micros) {
	top := &s[0]
	end = top.Ends(c, top.Nth, top.Free+lead, times)
	top.Lanes = append(top.running(top.Free), Lane{end, part})
	if top.used()+part > spec.Core {
		top.Free = top.Opening()
		s.Sink(0)
	}
	return end
}

// shared are the slots of an offer that tasks share now, by number: the lanes of each.
type shared struct {
	slots []uint32
	lanes [][]Lane
}

// add puts an attempt with a part into its last slot.
func (x *shared) add(at *ledger.Attempt, end span.Micros) {
	slot := at.Slot + at.Width - 1
	i, found := slices.BinarySearchFunc(x.slots, slot, func(a, b uint32) int { return cmp.Compare(a, b) })
	if !found {
		x.slots, x.lanes = slices.Insert(x.slots, i, slot), slices.Insert(x.lanes, i, nil)
	}
	x.lanes[i] = append(x.lanes[i], Lane{end, spec.Cores(at.Part)})
}

// seats are those slots as seats, free as soon as they have room.
func (x *shared) seats() (all []Seat) {
	for _, lanes := range x.lanes {
		s := Seat{Lanes: lanes}
		if s.used() == spec.Core {
			s.Free = s.Opening()
		}
		all = append(all, s)
	}
	return all
}
