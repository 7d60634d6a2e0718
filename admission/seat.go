package admission

import (
	"cmp"
	"slices"

	"lull/admission/outlook"
	"lull/admission/span"
	"lull/subjects/tct"
)

// seat is a slot in a play: when it is free, and what it is worth then.
type seat struct {
	free span.Micros
	step int // residual in hundredths, at first: by which slots are asked
	*outlook.Outlook
	offer int // which of the supply's
	nth   int // slot of the offer

	// What runs on it, nil for nothing: its stage, the time that it takes in
	// all, and the attempt.
	load    *load
	stage   int
	whole   span.Micros
	attempt uint64
}

// seats are a heap with the seat that is given away next on top: the first to be free, and of those
// the best, in the slotter's order.
type seats []seat

func (s *seat) compare(o *seat) int {
	if c := cmp.Compare(s.free, o.free); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(o.step, s.step), cmp.Compare(s.offer, o.offer), cmp.Compare(s.nth, o.nth))
}

// sink restores the order when seat i got free later.
func (s seats) sink(i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(s); child++ {
			if s[child].compare(&s[least]) < 0 {
				least = child
			}
		}
		if least == i {
			return
		}
		s[i], s[least] = s[least], s[i]
		i = least
	}
}

// order makes a heap of seats in any order.
func (s seats) order() {
	for i := len(s)/2 - 1; i >= 0; i-- {
		s.sink(i)
	}
}

// pop takes the top away.
func (s *seats) pop() seat {
	top, last := (*s)[0], len(*s)-1
	(*s)[0] = (*s)[last]
	*s = (*s)[:last]
	s.sink(0)
	return top
}

// push adds a seat.
func (s *seats) push(x seat) {
	*s = append(*s, x)
	for i := len(*s) - 1; i > 0; {
		parent := (i - 1) / 2
		if (*s)[i].compare(&(*s)[parent]) >= 0 {
			return
		}
		(*s)[i], (*s)[parent] = (*s)[parent], (*s)[i]
		i = parent
	}
}

// take runs a task on the top seat that fetches first and then takes so many times what its curve
// says, and returns when that ends. A task of several cores waits for as many slots of the host.
func (s seats) take(cores int, lead span.Micros, c *tct.Curve, times float64) (end span.Micros) {
	if cores <= 1 {
		end = s[0].Ends(c, s[0].nth, s[0].free+lead, times)
		s[0].free = end
		s.sink(0)
		return end
	}
	all := s.beside(cores)
	last := &s[all[len(all)-1]]
	end = last.Ends(c, last.nth, last.free+lead, times)
	for _, i := range all {
		s[i].free = end
	}
	s.order()
	return end
}

// beside are so many seats of the top's host, the first to be free first.
func (s seats) beside(cores int) (all []int) {
	for i := range s {
		if s[i].offer == s[0].offer {
			all = append(all, i)
		}
	}
	slices.SortFunc(all, func(i, j int) int { return s[i].compare(&s[j]) })
	return all[:min(cores, len(all))]
}

// fits reports whether a task of the class may run on the seat.
func (c *class) fits(s *seat) bool {
	return s.offer < len(c.room) && s.nth < c.room[s.offer]*int(c.cpu)
}

// seats are all slots, with what runs on them at the last look. They are not
// made as long as the queue is too long to be played.
func (p *pool) seats() seats {
	s := p.supply
	if len(s.seats) == 0 {
		for i := range s.offers {
			s.seats = append(s.seats, p.seatsOf(i)...)
		}
		s.seats.order()
	}
	return s.seats
}

// seatsOf are an offer's slots. A host that offers fewer than it has busy gives
// none away until so many are done: see busy.
func (p *pool) seatsOf(offer int) []seat {
	o := &p.supply.offers[offer]
	all := make([]seat, o.Most(), o.Most()+int(o.host.Joined.Slots))
	for _, at := range o.host.Attempts() {
		if l := p.runs(o, at); l != nil {
			s := seat{load: l, stage: int(at.Task.Stage), attempt: at.ID}
			s.whole, s.free = p.takes(o, at, l)
			for range at.Width {
				all = append(all, s)
			}
		}
	}
	slices.SortStableFunc(all, func(x, y seat) int { return cmp.Compare(x.free, y.free) })
	all = all[len(all)-o.Most():]
	for i := range all {
		s := &all[i]
		s.Outlook, s.step, s.offer, s.nth = &o.Outlook, o.First(i), offer, i
		s.free = o.Opens(i, s.free)
	}
	return all
}
