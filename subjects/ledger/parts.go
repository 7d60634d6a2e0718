package ledger

import "lull/subjects/spec"

// A task of a part of a core takes a part of its last slot. Attempts with such parts share the
// slot as long as their parts together are at most a whole one.

// Cores is what the attempt takes of its host.
func (a *Attempt) Cores() spec.Cores { return spec.CoresOf(a.Width, a.Part) }

// WholeSlots is how many slots the attempt takes all of.
func (a *Attempt) WholeSlots() uint32 {
	if a.Part > 0 {
		return a.Width - 1
	}
	return a.Width
}

// lastSlot is the last slot of the attempt.
func (a *Attempt) lastSlot() uint32 { return a.Slot + a.Width - 1 }

// setPlaces puts an attempt into its places.
func (h *Host) setPlaces(a *Attempt) {
	for i := a.Slot; i < a.Slot+a.Width && int(i) < len(h.places); i++ {
		if a.Part == 0 || h.places[i] == 0 {
			h.places[i] = a.ID
		}
	}
	if at := a.lastSlot(); a.Part > 0 && int(at) < len(h.places) {
		if h.parts == nil {
			h.parts = make([]uint32, len(h.places))
		}
		h.parts[at] += a.Part
	}
}

// UsedCores is what is taken of a slot or place.
func (h *Host) UsedCores(place uint32) spec.Cores {
	switch {
	case h.places[place] == 0:
		return 0
	case h.parts != nil && h.parts[place] > 0:
		return spec.Cores(h.parts[place])
	}
	return spec.Core
}

// Shared reports whether attempts share slots of the host, or could.
func (h *Host) Shared() bool { return h.parts != nil }

// PlacesOf is how many places an attempt takes that no earlier one has: summed over a host's
// attempts, the places that are taken.
func (h *Host) PlacesOf(a *Attempt) uint32 {
	if at := a.lastSlot(); a.Part > 0 && int(at) < len(h.places) && h.places[at] != a.ID {
		return a.Width - 1
	}
	return a.Width
}

// Load is what all attempts take of the host together, without those in places ahead.
func (h *Host) Load() (sum spec.Cores) {
	for i := range min(h.Joined.Slots, uint32(len(h.places))) {
		sum += h.UsedCores(i)
	}
	return sum
}
