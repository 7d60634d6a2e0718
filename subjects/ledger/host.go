package ledger

import (
	"slices"
	"strings"

	"lull/subjects"
	"lull/subjects/spec"
)

// Host is one host's life. What is asked of every host in turn stands first: in a large pool the
// time of that is the time of fetching cache lines.
type Host struct {
	Name   string
	Term   uint64 // log sequence of its last joined
	Since  int64  // when it joined
	Gone   bool   // left or lost
	Lost   bool
	Paused bool
	Drain  bool
	// Forgotten means that it was given up for good. Lists leave it out until it joins again.
	Forgotten bool

	id       uint32
	places   []uint64   // attempt in each slot and then in each place ahead, 0: free
	parts    []uint32   // what parts take of each place, in thousandths; nil if there are none
	attempts []*Attempt // that occupy it, by id
	memory   int64      // bytes of attempts
	Joined   subjects.Joined
	Away     int64        // when it left or was lost, Unix nanoseconds; 0 if it is present, or an older version noted it
	Heard    int64        // last heartbeat before it went away; 0 if it is present, or an older version noted it
	HeldBy   *Attribution // the user that paused or drained it last; nil if it is open, or the user is unknown
	harmed   int64        // until when its harm is counted
}

// Open reports whether the host may be given tasks.
func (h *Host) Open() bool { return !h.Gone && !h.Paused && !h.Drain }

// State is one word for people.
func (h *Host) State() string {
	switch {
	case h.Lost:
		return "lost"
	case h.Gone:
		return "left"
	case h.Paused:
		return "paused"
	case h.Drain:
		return "draining"
	}
	return "up"
}

// Places returns the attempt in each slot and, behind the last slot, in each
// place ahead; 0 where it is free. Of attempts that share a slot it is the first. Do not change it.
func (h *Host) Places() []uint64 { return h.places }

// Attempts returns what occupies the host, by id. Do not change it.
func (h *Host) Attempts() []*Attempt { return h.attempts }

// Busy is the number of slots that run something, at most all of them. Which
// ones they are is the host's to say: it starts what waits in a place ahead in
// any slot that is free.
func (h *Host) Busy() int { return min(h.taken(), int(h.Joined.Slots)) }

// Waiting is the number of attempts that wait there for a slot.
func (h *Host) Waiting() int { return h.taken() - h.Busy() }

func (h *Host) taken() int {
	n := 0
	for _, a := range h.places {
		if a != 0 {
			n++
		}
	}
	return n
}

// FreeMemory is the bytes that no attempt has been promised.
func (h *Host) FreeMemory() int64 { return h.Joined.Memory - h.memory }

// Free reports whether width slots from slot on are free, or one place ahead: a task of many
// cores, or of a part of one, never waits on a host. Of the last slot a part may be enough.
func (h *Host) Free(slot, width, part uint32) bool {
	last := uint64(len(h.places))
	if width > 1 || part > 0 {
		last = uint64(h.Joined.Slots)
	}
	if width == 0 || uint64(slot)+uint64(width) > last {
		return false
	}
	whole := slot + width
	if part > 0 {
		whole--
	}
	for _, a := range h.places[slot:whole] {
		if a != 0 {
			return false
		}
	}
	return part == 0 || h.UsedCores(whole)+spec.Cores(part) <= spec.Core
}

// Matches reports whether the host carries every label.
func (h *Host) Matches(where []string) bool {
	for _, label := range where {
		if _, ok := slices.BinarySearch(h.Joined.Labels, label); !ok {
			return false
		}
	}
	return true
}

func (h *Host) occupy(a *Attempt) {
	h.setPlaces(a)
	h.attempts = append(h.attempts, a)
	h.memory += a.Memory
}

func (h *Host) vacate(a *Attempt) {
	h.attempts = slices.DeleteFunc(h.attempts, func(b *Attempt) bool { return b == a })
	h.memory -= a.Memory
	if a.Part > 0 {
		h.resize() // others may share its last slot
		return
	}
	for i, id := range h.places {
		if id == a.ID {
			h.places[i] = 0
		}
	}
}

// resize lays the attempts that still occupy the host over the slots and the
// places ahead that it offers now.
func (h *Host) resize() {
	h.places, h.parts = make([]uint64, h.Joined.Slots+h.Joined.Ahead), nil
	for _, a := range h.attempts {
		h.setPlaces(a)
	}
}

// host returns the host of a name, making it if need be.
func (s *State) host(name string) *Host {
	if h := s.hosts[name]; h != nil {
		return h
	}
	h := &Host{Name: name, id: uint32(len(s.byID))}
	s.hosts[name] = h
	s.byID = append(s.byID, h)
	at, _ := slices.BinarySearchFunc(s.byName, name, func(h *Host, name string) int {
		return strings.Compare(h.Name, name)
	})
	s.byName = slices.Insert(s.byName, at, h)
	return h
}

// setGone notes whether the host is away.
func (s *State) setGone(h *Host, gone bool) {
	if h.Gone != gone {
		h.Gone = gone
		if gone {
			s.gone++
		} else {
			s.gone--
		}
	}
}
