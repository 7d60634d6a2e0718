package facts

import (
	"slices"

	"lull/subjects"
	"lull/subjects/spec"
	"lull/subjects/tct"
)

// Fits reports whether the host, which has a place, can take one task of the line now. A task of
// many cores needs slots that run nothing. If it waited for them on the host, it would keep all
// that came later from the free ones.
func (h *Host) Fits(l *Line) bool {
	return l.Memory <= h.Memory && (l.Cores() == spec.Core || l.fits(h)) &&
		h.suits(l)
}

// CouldFit reports whether the host could take a task of the line if nothing
// else ran on it.
func (h *Host) CouldFit(l *Line) bool {
	return int(l.Cpu) <= h.Usable && l.Memory <= h.Life.Joined.Memory &&
		tct.Residual(h.Idle, int(l.Cpu)) >= tct.MinResidual && h.suits(l)
}

// suits reports whether the host has what the line's tasks name.
func (h *Host) suits(l *Line) bool {
	return (len(l.Where) == 0 || h.Life.Matches(l.Where)) && (len(l.absent) == 0 || !slices.Contains(l.absent, h.Life.Name)) &&
		(l.Part == 0 || h.Life.Joined.Format >= subjects.FormatParts) && (len(l.Fence) == 0 || slices.Contains(l.Fence, h.Class)) && (l.Placed == nil || l.Placed.Has(h.Life.Name))
}

// gap is the first of width adjacent free slots, or the first free place of any
// kind; -1 if there is none.
func (h *Host) gap(width uint32) int {
	if width > 1 {
		return h.gapIn(width, h.Slots)
	}
	return h.gapIn(width, len(h.Taken))
}

// gapIn is the first of width adjacent free places among the first ones, -1 if there is none.
func (h *Host) gapIn(width uint32, places int) int {
	run := 0
	for i := h.first; i < places; i++ {
		if run++; h.Taken[i] {
			run = 0
		}
		if run == int(width) {
			return i + 1 - run
		}
	}
	return -1
}

// Plan takes a line's needs from what is free, and returns the first slot.
func (h *Host) Plan(l *Line) uint32 {
	slot, more := l.gapOn(h), l.EmptySlotsNeeded(h)
	for i := slot; i < slot+int(l.Cpu); i++ {
		h.Taken[i] = true
	}
	if l.Part > 0 {
		h.Parts.plan(slot+int(l.Cpu)-1, h.Slots, l.Part)
	}
	for h.first < len(h.Taken) && h.Taken[h.first] {
		h.first++
	}
	h.Busy += int(more)
	h.Parts.load += l.Cores()
	h.Memory -= l.Memory
	h.unused = unused{}
	return uint32(slot)
}
