package slotter

import (
	"slices"

	"lull/subjects/tct"
)

// settle brings what depends on a host's attempts up to date, once a round
// instead of once an event.
func (a *Actor) settle() {
	for _, h := range a.hosts.touched {
		h.touched = false
		h.layOut()
		a.share(h)
		a.intake(h)
	}
	a.hosts.touched = a.hosts.touched[:0]
}

// layOut notes which places are taken.
func (h *host) layOut() {
	places := h.life.Places()
	h.taken = slices.Grow(h.taken[:0], len(places))[:len(places)]
	h.slots, h.first, h.busy = int(h.life.Joined.Slots), 0, 0
	for i, id := range places {
		h.taken[i] = id != 0
		if id != 0 {
			h.busy++
		}
	}
	h.memory = h.life.FreeMemory()
}

// share counts the host's attempts into the rates of their jobs: with each
// attempt more, all the others get a smaller part of what is idle. The host
// starts them in the order of the log, so those that come after its slots are
// full wait, and complete nothing.
func (a *Actor) share(h *host) {
	for _, s := range h.shares {
		s.job.rate -= s.rate
	}
	h.shares, h.brief, h.oldest = h.shares[:0], true, never
	residual, used := h.residual(0), 0
	for _, at := range h.life.Attempts() {
		used += int(at.Width)
		h.oldest = min(h.oldest, at.Assigned)
		j := a.jobs.of[at.Job]
		if j == nil || !at.Holds() {
			h.brief = false
			continue
		}
		curve := j.stages[at.Task.Stage].curve
		h.brief = h.brief && brief(curve, residual)
		if used <= h.slots {
			r := rateOf(curve, residual)
			j.rate += r
			h.shares = append(h.shares, share{j, r})
		}
	}
}

// residual is what width more busy slots would leave each of the host's slots.
func (h *host) residual(width uint32) float64 {
	return tct.Residual(h.idle, min(h.busy+int(width), h.slots))
}

// free is the number of slots that nothing runs on.
func (h *host) free() int { return max(h.slots-h.busy, 0) }
