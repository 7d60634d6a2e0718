package pool

import (
	"cmp"
	"slices"

	"lull/admission/outlook"
	"lull/admission/span"
	"lull/subjects/tct"
)

// Seat is a slot in a play: when it is free, and what it is worth then.
type Seat struct {
	Free span.Micros
	Step int // residual in hundredths, at first: by which slots are asked
	*outlook.Outlook
	Offer int // which of the supply's
	Nth   int // slot of the offer

	// What runs on it, nil for nothing: its stage, the time that it takes in
	// all, and the attempt.
	Load    *Load
	Stage   int
	Whole   span.Micros
	Attempt uint64
	Lanes   []Lane // of tasks that share it, if any do; not to be changed in place
}

// Seats are a heap with the seat that is given away next on top: the first to be free, and of those
// the best, in the slotter's order.
type Seats []Seat

func (s *Seat) compare(o *Seat) int {
	if c := cmp.Compare(s.Free, o.Free); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(o.Step, s.Step), cmp.Compare(s.Offer, o.Offer), cmp.Compare(s.Nth, o.Nth))
}

// Sink restores the order when seat i got free later.
func (s Seats) Sink(i int) {
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

// Order makes a heap of seats in any order.
func (s Seats) Order() {
	for i := len(s)/2 - 1; i >= 0; i-- {
		s.Sink(i)
	}
}

// Pop takes the top away.
func (s *Seats) Pop() Seat {
	top, last := (*s)[0], len(*s)-1
	(*s)[0] = (*s)[last]
	*s = (*s)[:last]
	s.Sink(0)
	return top
}

// Push adds a seat.
func (s *Seats) Push(x Seat) {
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

// Take runs a task on the top seat that fetches first and then takes so many times what its curve
// says, and returns when that ends. A task of several cores waits for as many slots of the host.
func (s Seats) Take(n *Needs, lead span.Micros, c *tct.Curve, times float64) (end span.Micros) {
	switch {
	case n.Small():
		return s.share(n.Cores(), lead, c, times)
	case n.CPU <= 1:
		end = s[0].Ends(c, s[0].Nth, s[0].Free+lead, times)
		s[0].Free, s[0].Lanes = end, nil
		s.Sink(0)
		return end
	}
	all := s.beside(int(n.CPU))
	last, start := &s[all[len(all)-1]], span.Micros(0)
	for _, i := range all {
		start = max(start, s[i].clear())
	}
	end = last.Ends(c, last.Nth, start+lead, times)
	for _, i := range all {
		s[i].Free, s[i].Lanes = end, nil
	}
	s.Order()
	return end
}

// beside are so many seats of the top's host, the first to be free first.
func (s Seats) beside(cores int) (all []int) {
	for i := range s {
		if s[i].Offer == s[0].Offer {
			all = append(all, i)
		}
	}
	slices.SortFunc(all, func(i, j int) int { return s[i].compare(&s[j]) })
	return all[:min(cores, len(all))]
}

// Fits reports whether a task of the class may run on the seat.
func (c *Class) Fits(s *Seat) bool {
	return s.Offer < len(c.Room) && s.Nth < c.slotsFor(c.Room[s.Offer]) && c.hasRoom(s)
}
