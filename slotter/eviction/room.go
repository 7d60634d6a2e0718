package eviction

import "slices"

// MakeRoom lists the victims that have to end for one task, none if it has room already.
// It reports whether the task has room then. mayEnd says whether a victim may end beside
// others that are listed already.
func (h *Host[Owner]) MakeRoom(n Need, mayEnd func(v Victim[Owner], beside []Victim[Owner]) bool) (room []Victim[Owner], ok bool) {
	try := h.without()
	for _, v := range h.Victims {
		if try.gap(n) >= 0 {
			break
		}
		if mayEnd(v, room) {
			try.Free(v.Attempt)
			room = append(room, v)
		}
	}
	return h.spare(n, room), try.gap(n) >= 0
}

// spare leaves out victims that proved unnecessary, the most expensive first.
func (h *Host[Owner]) spare(n Need, room []Victim[Owner]) []Victim[Owner] {
	for i := len(room) - 2; i >= 0; i-- {
		try := h.without()
		for k, v := range room {
			if k != i {
				try.Free(v.Attempt)
			}
		}
		if try.gap(n) >= 0 {
			room = slices.Delete(room, i, i+1)
		}
	}
	return room
}
