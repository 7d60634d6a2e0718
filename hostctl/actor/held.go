package actor

import (
	"cmp"
	"slices"
)

// indexOf returns the index of the attempt in held, or the index at which to insert it.
func (f *facts) indexOf(id uint64) (int, bool) {
	return slices.BinarySearchFunc(f.held, id, func(t *attempt, id uint64) int { return cmp.Compare(t.id, id) })
}

// attempt returns the attempt with this id, nil if the host does not hold it.
func (f *facts) attempt(id uint64) *attempt {
	if i, ok := f.indexOf(id); ok {
		return f.held[i]
	}
	return nil
}

// add inserts an attempt unless it is held already.
func (f *facts) add(t *attempt) {
	if i, ok := f.indexOf(t.id); !ok {
		f.held = slices.Insert(f.held, i, t)
		f.changed = true
	}
}

// remove deletes an attempt after the ledger has accepted its end.
func (f *facts) remove(id uint64) {
	if i, ok := f.indexOf(id); ok {
		f.held = slices.Delete(f.held, i, i+1)
		f.changed = true
	}
}

// busy is the number of slots in use.
func (f *facts) busy() int { return f.slotsUsedBy((*attempt).occupies) }

// freeSlot returns the lowest slot whose shim is idle. Where attempts share slots, shims beyond the
// host's slots run them.
func (f *facts) freeSlot() uint32 {
	for slot := uint32(0); ; slot++ {
		if !slices.ContainsFunc(f.held, func(t *attempt) bool { return t.occupies() && t.slot == slot }) {
			return slot
		}
	}
}

// vacate frees the slot of an attempt that has no process left.
func (f *facts) vacate(t *attempt) {
	if !t.exited {
		t.exited, t.meanResidual = true, f.residual.meanResidual(t.startMark, t.cores())
	}
}

// finish records the end of an attempt. The next decision reports it.
func (f *facts) finish(t *attempt, end *Ended) {
	f.vacate(t)
	t.phase, t.outcome, t.running, t.endedAt = ended, end, false, f.now()
	if end.Trace != "" {
		t.trace = end.Trace
	}
}
