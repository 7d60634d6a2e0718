package facts

import (
	"slices"

	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/subjects/tct"
)

// A task of a part of a core takes a part of a slot, the last one that it is in, and shares that
// with others. The models that choose for it see the residual of the slot, by the curve of its part
// (tct.Curves.For): the task has no less than that, and more while others leave it theirs.

// Cores is what a task of the line takes.
func (l *Line) Cores() spec.Cores { return spec.CoresOf(l.Cpu, l.Part) }

// own is the part of a slot's residual that a task of the line has for certain.
func (l *Line) own() float64 { return min(l.Cores(), spec.Core).Float() }

// resetParts sets what parts take of slots to what the ledger knows.
func (h *Host) resetParts() {
	h.Parts, h.load = h.Parts[:0], spec.Cores(min(h.Busy, h.Slots))*spec.Core
	if !h.Life.Shared() {
		return
	}
	h.load = h.Life.Load()
	h.Parts = append(h.Parts, make([]uint32, h.Slots)...)
	for i := range h.Parts {
		if used := h.Life.Used(uint32(i)); used < spec.Core {
			h.Parts[i] = uint32(used)
		}
	}
}

// Spare reports whether a slot in use has room for a part.
func (h *Host) Spare() bool {
	return slices.ContainsFunc(h.Parts, func(part uint32) bool { return part > 0 })
}

// readsParts reports whether the host's agent gives tasks parts of slots.
func (h *Host) readsParts() bool { return h.Life.Joined.Format >= subjects.FormatParts }

// gapOf is the first slot for a task of the line, -1 if there is none. A task of a part goes to a
// slot that others left room in, if it can, so that slots stay free for whole tasks.
func (h *Host) gapOf(l *Line) int {
	if l.Part == 0 {
		return h.gap(l.Cpu)
	}
	before := int(l.Cpu) - 1
	for i := before; i < len(h.Parts); i++ {
		if h.Parts[i] > 0 && h.Parts[i]+l.Part <= uint32(spec.Core) && !slices.Contains(h.Taken[i-before:i], true) {
			return i - before
		}
	}
	return h.gapIn(l.Cpu, h.Slots)
}

// More is how many of the host's slots that run nothing a task of the line takes.
func (h *Host) More(l *Line) uint32 {
	if l.Part == 0 || len(h.Parts) == 0 {
		return l.Cpu
	}
	if at := h.gapOf(l); at >= 0 && h.Taken[at+int(l.Cpu)-1] {
		return l.Cpu - 1
	}
	return l.Cpu
}

// planPart takes a part of a slot.
func (h *Host) planPart(slot int, part uint32) {
	if len(h.Parts) == 0 {
		h.Parts = append(h.Parts, make([]uint32, h.Slots)...)
	}
	if h.Parts[slot] += part; h.Parts[slot] == uint32(spec.Core) {
		h.Parts[slot] = 0 // no room is left
	}
}

// share is the part of a core that a task of less than one has on the host, where the kernel divides
// what the primary leaves by what tasks take, and more is to run beside those that do.
func (h *Host) share(of, more spec.Cores) float64 {
	return min(h.Idle*of.Float()/max(h.load+more, of).Float(), 1)
}

// SharedOn is the part of a core that a task of the line would have on the host, if it takes less
// than a core.
func (l *Line) SharedOn(h *Host) (share float64, shares bool) {
	if l.Cores() >= spec.Core {
		return 0, false
	}
	return h.share(l.Cores(), l.Cores()), true
}

// TasksIn is how many tasks of the line so many slots hold.
func (l *Line) TasksIn(slots int) int { return slots * int(spec.Core) / int(l.Cores()) }

// RateOf is the rate of an attempt that runs on the host, whose slots have a residual in a step.
func (h *Host) RateOf(at *ledger.Attempt, c *tct.Curve, step int) Rate {
	if cores := at.Cores(); cores < spec.Core {
		return RateAt(c.Whole(), tct.Step(h.share(cores, 0)))
	}
	return RateAt(c, step)
}

// SecondsOf is the time of a task that such an attempt runs, from its beginning to its end.
func (h *Host) SecondsOf(at *ledger.Attempt, c *tct.Curve, residual float64) float64 {
	if cores := at.Cores(); cores < spec.Core {
		return c.Whole().Seconds(h.share(cores, 0))
	}
	return c.Seconds(residual)
}

// BinOf is the range that a task of the line explores in a slot of a residual.
func (l *Line) BinOf(residual float64) int { return BinOf(residual * l.own()) }
