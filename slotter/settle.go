package slotter

import (
	"slices"

	"lull/subjects/tct"
)

// settle brings what depends on a host's attempts up to date, once a round
// instead of once an event.
func (t *tracker) settle() {
	for _, h := range t.hosts.touched {
		h.touched = false
		h.layOut()
		t.countAttempts(h)
		t.countReaders(h)
	}
	t.hosts.touched = t.hosts.touched[:0]
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
	h.unused = unused{}
}

// residual is what width more busy slots would leave each of the host's slots.
func (h *host) residual(width uint32) float64 {
	return tct.Residual(h.idle, min(h.busy+int(width), h.slots))
}

// free is the number of slots that nothing runs on.
func (h *host) free() int { return max(h.slots-h.busy, 0) }
