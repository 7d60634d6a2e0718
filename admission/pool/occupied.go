package pool

import (
	"cmp"
	"slices"
)

// Seats are all slots, with what runs on them at the last look. They are not
// made as long as the queue is too long to be played.
func (r *Running) Seats() Seats {
	s := r.supply
	if len(s.Seats) == 0 {
		for i := range s.offers {
			s.Seats = append(s.Seats, r.seatsOf(i)...)
		}
		s.Seats.Order()
	}
	return s.Seats
}

// seatsOf are an offer's slots. A host that offers fewer than it has busy gives
// none away until so many are done: see busy.
func (r *Running) seatsOf(offer int) []Seat {
	o := &r.supply.offers[offer]
	all := make([]Seat, o.Most(), o.Most()+int(o.host.Joined.Slots))
	var parts shared
	for _, at := range o.host.Attempts() {
		if l := r.loadOf(o, at); l != nil {
			s := Seat{Load: l, Stage: int(at.Task.Stage), Attempt: at.ID}
			s.Whole, s.Free = r.duration(o, at, l)
			for range at.WholeSlots() {
				all = append(all, s)
			}
			if at.Part > 0 {
				parts.add(at, s.Free)
			}
		}
	}
	all = append(all, parts.seats()...)
	slices.SortStableFunc(all, func(x, y Seat) int { return cmp.Compare(x.Free, y.Free) })
	all = all[len(all)-o.Most():]
	for i := range all {
		s := &all[i]
		s.Outlook, s.Step, s.Offer, s.Nth = &o.Outlook, o.First(i), offer, i
		s.Free = o.Opens(i, s.Free)
	}
	return all
}
