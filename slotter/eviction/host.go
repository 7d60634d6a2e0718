package eviction

import (
	"cmp"
	"slices"

	"lull/subjects/ledger"
)

// Need is what a task needs of a host.
type Need struct {
	Slots  uint32 // adjacent ones
	Memory int64
}

// Victim is an attempt that may have to end.
type Victim[Owner any] struct {
	Attempt *ledger.Attempt
	Lost    int64 // work, in milliseconds of a core
	Owner   Owner // what the caller knows of it
}

// Cost is the work that is lost if all the victims end.
func Cost[Owner any](victims []Victim[Owner]) (lost int64) {
	for _, v := range victims {
		lost += v.Lost
	}
	return lost
}

// Host is a host's slots and memory as they will be when all decisions have taken effect, and which
// attempts might still end there.
type Host[Owner any] struct {
	Taken   []bool // slots; places ahead hold nothing that runs
	Memory  int64  // free
	Victims []Victim[Owner]
}

// Sort orders the victims by what is lost, the youngest first among equals.
func (h *Host[Owner]) Sort() {
	slices.SortFunc(h.Victims, func(v, w Victim[Owner]) int {
		return cmp.Or(cmp.Compare(v.Lost, w.Lost), cmp.Compare(w.Attempt.ID, v.Attempt.ID))
	})
}

// Free gives the attempt's room back.
func (h *Host[Owner]) Free(at *ledger.Attempt) {
	for i := at.Slot; i < at.Slot+at.Width && int(i) < len(h.Taken); i++ {
		h.Taken[i] = false
	}
	h.Memory += at.Memory
}

// End gives a victim's room back, and makes it a victim no more.
func (h *Host[Owner]) End(v Victim[Owner]) {
	h.Free(v.Attempt)
	h.Victims = slices.DeleteFunc(h.Victims, func(o Victim[Owner]) bool { return o.Attempt == v.Attempt })
}

// Take fills the room that was made for a task.
func (h *Host[Owner]) Take(n Need) {
	at := h.gap(n)
	for i := at; i < at+int(n.Slots); i++ {
		h.Taken[i] = true
	}
	h.Memory -= n.Memory
}

// gap is the first slot at which the task fits, -1 for nowhere.
func (h *Host[Owner]) gap(n Need) int {
	run := 0
	for i, taken := range h.Taken {
		if run++; taken {
			run = 0
		}
		if run == int(n.Slots) && n.Memory <= h.Memory {
			return i + 1 - run
		}
	}
	return -1
}

// without is a copy of the host, without victims.
func (h *Host[Owner]) without() Host[Owner] {
	return Host[Owner]{Taken: slices.Clone(h.Taken), Memory: h.Memory}
}
