package facts

import (
	"slices"

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

// Parts is what the tasks of a host take of its slots, where they share any.
type Parts struct {
	Of   []uint32   // of each slot that parts have room in, what they take; none: no slot is shared
	load spec.Cores // that all that runs takes
}

// reset sets what is taken to what the ledger knows of a host with so many slots in use.
func (p *Parts) reset(life *ledger.Host, busy int) {
	slots := int(life.Joined.Slots)
	p.Of, p.load = p.Of[:0], spec.Cores(min(busy, slots))*spec.Core
	if !life.Shared() {
		return
	}
	p.load = life.Load()
	p.Of = append(p.Of, make([]uint32, slots)...)
	for i := range p.Of {
		if used := life.UsedCores(uint32(i)); used < spec.Core {
			p.Of[i] = uint32(used)
		}
	}
}

// Spare reports whether a slot in use has room for a part.
func (p *Parts) Spare() bool {
	return slices.ContainsFunc(p.Of, func(part uint32) bool { return part > 0 })
}

// plan takes a part of one of so many slots.
func (p *Parts) plan(slot, slots int, part uint32) {
	if len(p.Of) == 0 {
		p.Of = append(p.Of, make([]uint32, slots)...)
	}
	if p.Of[slot] += part; p.Of[slot] == uint32(spec.Core) {
		p.Of[slot] = 0 // no room is left
	}
}

// share is the part of a core that a task of less than one has, where the kernel divides what is idle
// by what tasks take, and more is to run beside those that do.
func (p *Parts) share(idle float64, of, more spec.Cores) float64 {
	return min(idle*of.Float()/max(p.load+more, of).Float(), 1)
}

// gapOn is the first slot of the host for a task of the line, -1 if there is none. A task of a part goes
// to a slot that others left room in, if it can, so that slots stay free for whole tasks.
func (l *Line) gapOn(h *Host) int {
	if l.Part == 0 {
		return h.gap(l.Cpu)
	}
	before := int(l.Cpu) - 1
	for i := before; i < len(h.Parts.Of); i++ {
		if part := h.Parts.Of[i]; part > 0 && part+l.Part <= uint32(spec.Core) && !slices.Contains(h.Taken[i-before:i], true) {
			return i - before
		}
	}
	return h.gapIn(l.Cpu, h.Slots)
}

// EmptySlotsNeeded is how many of the host's slots that run nothing a task of the line takes.
func (l *Line) EmptySlotsNeeded(h *Host) uint32 {
	if l.Part == 0 || len(h.Parts.Of) == 0 {
		return l.Cpu
	}
	if at := l.gapOn(h); at >= 0 && h.Taken[at+int(l.Cpu)-1] {
		return l.Cpu - 1
	}
	return l.Cpu
}

// fits reports whether slots of the host are free for a task of the line that cannot wait there.
func (l *Line) fits(h *Host) bool {
	more := l.EmptySlotsNeeded(h)
	return h.Usable >= h.Busy+int(more) && h.Residual(more) >= tct.MinResidual && l.gapOn(h) >= 0
}

// SharedOn is the part of a core that a task of the line would have on the host, if it takes less
// than a core.
func (l *Line) SharedOn(h *Host) (share float64, shares bool) {
	if l.Cores() >= spec.Core {
		return 0, false
	}
	return h.Parts.share(h.Idle, l.Cores(), l.Cores()), true
}

// TasksIn is how many tasks of the line so many slots hold.
func (l *Line) TasksIn(slots int) int { return slots * int(spec.Core) / int(l.Cores()) }

// BinOf is the range that a task of the line explores in a slot of a residual.
func (l *Line) BinOf(residual float64) int { return BinOf(residual * l.own()) }

// RateOn is the rate of an attempt that runs on the host, whose slots have a residual in a step.
func RateOn(h *Host, at *ledger.Attempt, c *tct.Curve, step int) Rate {
	if cores := at.Cores(); cores < spec.Core {
		return RateAt(c.Whole(), tct.Step(h.Parts.share(h.Idle, cores, 0)))
	}
	return RateAt(c, step)
}

// SecondsOn is the time of a task that such an attempt runs, from its beginning to its end.
func SecondsOn(h *Host, at *ledger.Attempt, c *tct.Curve, residual float64) float64 {
	if cores := at.Cores(); cores < spec.Core {
		return c.Whole().Seconds(h.Parts.share(h.Idle, cores, 0))
	}
	return c.Seconds(residual)
}
