package slotter

import (
	"slices"
	"strings"

	"lull/slotter/supply"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/room"
	"lull/subjects/tct"
)

// host is what the slotter keeps of a host beside the ledger. Each round looks at every host, so what
// it asks of a host that has nothing to give stands first, and what people ask for last: in a pool of
// thousands of hosts, time goes to fetching their cache lines.
type host struct {
	life *ledger.Host

	// What is free. Settled from the ledger; a round plans on it.
	slots   int  // that the host has
	usable  int  // of them, those that its reserve leaves to batch work now
	busy    int  // places taken: those beyond slots wait
	brief   bool // all that it holds is predicted to be over in a moment
	touched bool // what follows from its attempts is to be settled
	held    bool // its last beat says that it starts nothing: paused, full or frozen
	broken  bool // the log has that its reserve was broken, and no sample has come since

	// Telemetry. Times are the slotter's own, 0 for never.
	usageAt int64
	beatAt  int64
	idle    float64 // cores
	net     net
	toll    toll
	outlook supply.Outlook
	meter   room.Meter // what the host's reserve reckons with

	memory   int64  // free
	counted  int    // places that the backlog counts on
	first    int    // places before it are taken
	taken    []bool // each slot, then each place ahead
	unused   unused
	oldest   int64        // when the first of what it holds was assigned
	attempts []attempt    // that run, by id
	offered  supply.Offer // to the supply

	class string           // of its tenant, "" for none: see package steering
	saved []subjects.Saved // attempts that wrote checkpoints, by its last beat
	// keepsNone is until when a host that is away is taken to keep no outputs that
	// are still needed: see keeps.
	keepsNone int64
	heard     heard // for people
}

// hosts are all hosts that ever joined.
type hosts struct {
	of      map[string]*host
	byName  []*host
	touched []*host
}

func newHosts() hosts { return hosts{of: map[string]*host{}} }

// get returns the host of a life, making it if need be.
func (s *hosts) get(life *ledger.Host) *host {
	if h := s.of[life.Name]; h != nil {
		return h
	}
	h := &host{life: life}
	s.of[life.Name] = h
	at, _ := slices.BinarySearchFunc(s.byName, life.Name, func(h *host, name string) int {
		return strings.Compare(h.life.Name, name)
	})
	s.byName = slices.Insert(s.byName, at, h)
	return h
}

// touch has what follows from the attempts of the host of a name settled anew.
func (s *hosts) touch(name string) {
	if h := s.of[name]; h != nil {
		s.mark(h)
	}
}

// mark has what follows from the attempts of a host settled anew.
func (s *hosts) mark(h *host) {
	if !h.touched {
		h.touched = true
		s.touched = append(s.touched, h)
	}
}

// touchAll marks all hosts.
func (s *hosts) touchAll() {
	for _, h := range s.byName {
		s.mark(h)
	}
}

// resetPlan sets what is free to what the ledger knows.
func (h *host) resetPlan() {
	places := h.life.Places()
	h.taken = slices.Grow(h.taken[:0], len(places))[:len(places)]
	h.slots, h.first, h.busy = int(h.life.Joined.Slots), 0, 0
	for i, id := range places {
		h.taken[i] = id != 0
		if id != 0 {
			h.busy++
		}
	}
	h.usable = h.allowed()
	h.memory = h.life.FreeMemory()
	h.unused, h.net, h.toll = unused{}, net{}, toll{}
}

// allowed is how many of its slots the host's reserve leaves to batch work now.
func (h *host) allowed() int {
	joined := &h.life.Joined
	return max(min(int(joined.Slots), room.Of(joined).Batch(h.meter.Primary)), 0)
}

// residual is what width more busy slots would leave each of the host's slots.
func (h *host) residual(width uint32) float64 {
	return tct.Residual(h.idle, min(h.busy+int(width), h.slots))
}

// free is the number of slots on which a task may begin now.
func (h *host) free() int { return max(h.usable-h.busy, 0) }

// places is the number of places that may be given away, also those where tasks wait for a
// slot.
func (h *host) places() int {
	if h.usable < h.slots {
		return h.free() // the host declines what waits behind its reserve
	}
	return len(h.taken) - h.busy
}

// ahead returns the residual that a slot of the host is expected to have over the life of a task
// when so many more are busy.
func (h *host) ahead(width uint32) float64 {
	return tct.Residual((h.idle+h.outlook.Mean)/2, min(h.busy+int(width), h.slots))
}

// offer is nothing while the host takes no tasks.
func (h *host) offer() supply.Offer {
	if !h.life.Open() {
		return supply.Offer{}
	}
	return supply.OfferOf(h.idle, h.allowed())
}

// anyOpen reports whether a host with the label takes tasks.
func (s *hosts) anyOpen(label string) bool {
	where := []string{label}
	for _, h := range s.byName {
		if h.life.Open() && h.life.Matches(where) {
			return true
		}
	}
	return false
}
