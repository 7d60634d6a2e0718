package slotter

import (
	"lull/subjects/tct"
	"slices"
)

// fits reports whether the host, which has a place, can take one task of the line now. A task of
// many cores needs slots that run nothing. If it waited for them on the host, it would keep all
// that came later from the free ones.
func (h *host) fits(l *line) bool {
	return l.memory <= h.memory && (l.cpu == 1 || h.fitsWide(l.cpu)) &&
		h.suits(l)
}

func (h *host) fitsWide(width uint32) bool {
	return h.free() >= int(width) && h.residual(width) >= tct.MinResidual && h.gap(width) >= 0
}

// couldFit reports whether the host could take a task of the line if nothing
// else ran on it.
func (h *host) couldFit(l *line) bool {
	return int(l.cpu) <= h.usable && l.memory <= h.life.Joined.Memory &&
		tct.Residual(h.idle, int(l.cpu)) >= tct.MinResidual && h.suits(l)
}

// suits reports whether the host has what the line's tasks name.
func (h *host) suits(l *line) bool {
	return (len(l.where) == 0 || h.life.Matches(l.where)) && (len(l.absent) == 0 || !slices.Contains(l.absent, h.life.Name)) &&
		(len(l.fence) == 0 || slices.Contains(l.fence, h.class)) && (l.placed == nil || l.placed.Has(h.life.Name))
}

// gap is the first of width adjacent free slots, or the first free place of any
// kind; -1 if there is none.
func (h *host) gap(width uint32) int {
	run, places := 0, len(h.taken)
	if width > 1 {
		places = h.slots
	}
	for i := h.first; i < places; i++ {
		if run++; h.taken[i] {
			run = 0
		}
		if run == int(width) {
			return i + 1 - run
		}
	}
	return -1
}

// plan takes a line's needs from what is free, and returns the first slot.
func (h *host) plan(l *line) uint32 {
	slot := h.gap(l.cpu)
	for i := slot; i < slot+int(l.cpu); i++ {
		h.taken[i] = true
	}
	for h.first < len(h.taken) && h.taken[h.first] {
		h.first++
	}
	h.busy += int(l.cpu)
	h.memory -= l.memory
	h.unused = unused{}
	return uint32(slot)
}
