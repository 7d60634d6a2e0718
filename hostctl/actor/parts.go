package actor

import (
	"slices"

	"lull/subjects/spec"
)

// Attempts of parts of a core share the slot that is the last of their places. Each has a shim of
// its own.

// cores is what the attempt takes of the host.
func (t *attempt) cores() spec.Cores { return spec.CoresOf(t.width, t.part) }

// last is the last place of the attempt.
func (t *attempt) last() uint32 { return t.firstSlot + t.width - 1 }

// shares reports whether two attempts of parts were assigned the same last place, and no other.
func (t *attempt) shares(o *attempt) bool {
	return t.part > 0 && o.part > 0 && t.last() == o.last() && (t.width == 1 || o.width == 1)
}

// slotsUsedBy is the number of slots that some of the attempts use: a slot that several share counts
// once.
func (f *facts) slotsUsedBy(use func(*attempt) bool) (n int) {
	for i, t := range f.held {
		if !use(t) {
			continue
		}
		n += int(t.width)
		counted := func(o *attempt) bool { return o.shares(t) && use(o) }
		if t.part > 0 && slices.ContainsFunc(f.held[:i], counted) {
			n--
		}
	}
	return n
}

// extraSlots is how many slots are in use more once the attempt has started.
func (f *facts) extraSlots(t *attempt) int {
	for _, o := range f.held {
		if o.shares(t) && o.occupies() {
			return int(t.width) - 1
		}
	}
	return int(t.width)
}

// load is what the attempts in use take of the host together.
func (f *facts) load() (sum spec.Cores) {
	for _, t := range f.held {
		if t.occupies() {
			sum += t.cores()
		}
	}
	return sum
}
