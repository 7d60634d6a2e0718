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
	}
	a.hosts.touched = a.hosts.touched[:0]
}

// layOut notes which slots are taken.
func (h *host) layOut() {
	slots := h.life.Places()
	h.taken = slices.Grow(h.taken[:0], len(slots))[:len(slots)]
	h.first, h.busy = 0, 0
	for i, id := range slots {
		h.taken[i] = id != 0
		if id != 0 {
			h.busy++
		}
	}
	h.memory = h.life.FreeMemory()
}

// share counts the host's attempts into the rates of their jobs: with each
// attempt more, all the others get a smaller part of what is idle.
func (a *Actor) share(h *host) {
	for _, s := range h.shares {
		s.job.rate -= s.rate
	}
	h.shares = h.shares[:0]
	residual := tct.Residual(h.idle, h.busy)
	for _, at := range h.life.Attempts() {
		j := a.jobs.of[at.Job]
		if j == nil || !at.Holds() {
			continue
		}
		r := rateOf(j.stages[at.Task.Stage].curve, residual)
		j.rate += r
		h.shares = append(h.shares, share{j, r})
	}
}

// residual is what width more busy slots would leave each of the host's slots.
func (h *host) residual(width uint32) float64 {
	return tct.Residual(h.idle, h.busy+int(width))
}

// free is the number of slots that nothing runs on.
func (h *host) free() int { return len(h.taken) - h.busy }
