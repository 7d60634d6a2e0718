package facts

import (
	"lull/subjects/tct"
	"slices"
)

// Fits reports whether the host, which has a place, can take one task of the line now. A task of
// many cores needs slots that run nothing. If it waited for them on the host, it would keep all
// that came later from the free ones.
func (h *Host) Fits(l *Line) bool {
	return l.Memory <= h.Memory && (l.Cpu == 1 || h.fitsWide(l.Cpu)) &&
		h.suits(l)
}

func (h *Host) fitsWide(width uint32) bool {
	return h.Free() >= int(width) && h.Residual(width) >= tct.MinResidual && h.gap(width) >= 0
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
		(len(l.Fence) == 0 || slices.Contains(l.Fence, h.Class)) && (l.Placed == nil || l.Placed.Has(h.Life.Name))
}

// gap is the first of width adjacent free slots, or the first free place of any
// kind; -1 if there is none.
func (h *Host) gap(width uint32) int {
	run, places := 0, len(h.Taken)
	if width > 1 {
		places = h.Slots
	}
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
	slot := h.gap(l.Cpu)
	for i := slot; i < slot+int(l.Cpu); i++ {
		h.Taken[i] = true
	}
	for h.first < len(h.Taken) && h.Taken[h.first] {
		h.first++
	}
	h.Busy += int(l.Cpu)
	h.Memory -= l.Memory
	h.unused = unused{}
	return uint32(slot)
}
