package eviction

import (
	"cmp"
	"slices"

	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// Need is what a task needs of a host.
type Need struct {
	Slots  uint32 // adjacent ones
	Part   uint32 // of the last one, in thousandths; 0: all of it
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
	Taken   []bool   // slots; places ahead hold nothing that runs
	Parts   []uint32 // what parts take of slots that have room left, in thousandths; none: no slot is shared
	Memory  int64    // free
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
	h.Memory += at.Memory
	last := at.Slot + at.Width - 1
	for i := at.Slot; i <= last && int(i) < len(h.Taken); i++ {
		if i == last && at.Part > 0 && h.freePart(i, at.Part) {
			return // others share it
		}
		h.Taken[i] = false
	}
}

// freePart gives a part of a slot back, and reports whether others have parts of it. A slot
// without room is noted as 0.
func (h *Host[Owner]) freePart(slot, part uint32) (shared bool) {
	if int(slot) >= len(h.Parts) {
		return false
	}
	left := h.Parts[slot]
	if left == 0 {
		left = uint32(spec.Core)
	}
	h.Parts[slot] = left - min(part, left)
	return h.Parts[slot] > 0
}

// End gives a victim's room back, and removes it from the victims.
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
	if n.Part == 0 {
		return
	}
	if len(h.Parts) == 0 {
		h.Parts = make([]uint32, len(h.Taken))
	}
	last := at + int(n.Slots) - 1
	h.Parts[last] = (h.Parts[last] + n.Part) % uint32(spec.Core)
}

// gap is the first slot at which the task fits, -1 for nowhere.
func (h *Host[Owner]) gap(n Need) int {
	run := 0
	for i, taken := range h.Taken {
		run++
		if run >= int(n.Slots) && n.Memory <= h.Memory && (!taken || h.shares(i, n.Part)) {
			return i + 1 - int(n.Slots)
		}
		if taken {
			run = 0
		}
	}
	return -1
}

// shares reports whether a slot that is taken has room for a part.
func (h *Host[Owner]) shares(slot int, part uint32) bool {
	return part > 0 && slot < len(h.Parts) && h.Parts[slot] > 0 && h.Parts[slot]+part <= uint32(spec.Core)
}

// without is a copy of the host, without victims.
func (h *Host[Owner]) without() Host[Owner] {
	return Host[Owner]{Taken: slices.Clone(h.Taken), Parts: slices.Clone(h.Parts), Memory: h.Memory}
}
