package facts

import (
	"slices"
	"strings"

	"lull/slotter/supply"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/room"
	"lull/subjects/tct"
)

// Host is what the slotter keeps of a host beside the ledger. Each round looks at every host, so what
// it asks of a host that has nothing to give stands first, and what people ask for last: in a pool of
// thousands of hosts, time goes to fetching their cache lines.
type Host struct {
	Life *ledger.Host

	// What is free. Settled from the ledger; a round plans on it.
	Slots         int  // that the host has
	Usable        int  // of them, those that its reserve leaves to batch work now
	Busy          int  // places taken: those beyond slots wait
	Brief         bool // all that it holds is predicted to be over in a moment
	Touched       bool // what follows from its attempts is to be settled
	StartsNothing bool // its last beat says that it starts nothing: paused, full or frozen
	ReserveBroken bool // the log has that its reserve was broken, and no sample has come since

	// Telemetry. Times are the slotter's own, 0 for never.
	UsageAt   int64
	BeatAt    int64
	Idle      float64 // cores
	net       net
	lossCache cachedLoss
	Outlook   supply.Outlook
	meter     room.Meter // what the host's reserve reckons with

	Memory  int64  // free
	Counted int    // places that the backlog counts on
	first   int    // places before it are taken
	Taken   []bool // each slot, then each place ahead
	Parts   Parts
	unused  unused
	Oldest  int64        // when the first of what it holds was assigned
	Running []Attempt    // that run, by id
	Offered supply.Offer // to the supply

	Class string           // of its tenant, "" for none: see package steering
	Saved []subjects.Saved // attempts that wrote checkpoints, by its last beat
	// NoOutputsUntil is until when a host that is away is taken to keep no outputs that
	// are still needed.
	NoOutputsUntil int64
	Reported       reported // for people
}

// Hosts are all hosts that ever joined.
type Hosts struct {
	Of      map[string]*Host
	ByName  []*Host
	Touched []*Host
}

func newHosts() Hosts { return Hosts{Of: map[string]*Host{}} }

// Get returns the host of a life, making it if need be.
func (s *Hosts) Get(life *ledger.Host) *Host {
	if h := s.Of[life.Name]; h != nil {
		return h
	}
	h := &Host{Life: life}
	s.Of[life.Name] = h
	at, _ := slices.BinarySearchFunc(s.ByName, life.Name, func(h *Host, name string) int {
		return strings.Compare(h.Life.Name, name)
	})
	s.ByName = slices.Insert(s.ByName, at, h)
	return h
}

// TouchNamed has what follows from the attempts of the host of a name settled anew.
func (s *Hosts) TouchNamed(name string) {
	if h := s.Of[name]; h != nil {
		s.Touch(h)
	}
}

// Touch has what follows from the attempts of a host settled anew.
func (s *Hosts) Touch(h *Host) {
	if !h.Touched {
		h.Touched = true
		s.Touched = append(s.Touched, h)
	}
}

// TouchAll marks all hosts.
func (s *Hosts) TouchAll() {
	for _, h := range s.ByName {
		s.Touch(h)
	}
}

// ResetPlan sets what is free to what the ledger knows.
func (h *Host) ResetPlan() {
	places := h.Life.Places()
	h.Taken = slices.Grow(h.Taken[:0], len(places))[:len(places)]
	h.Slots, h.first, h.Busy = int(h.Life.Joined.Slots), 0, 0
	for i, id := range places {
		h.Taken[i] = id != 0
		if id != 0 {
			h.Busy++
		}
	}
	h.Usable = h.allowed()
	h.Memory = h.Life.FreeMemory()
	h.Parts.reset(h.Life, h.Busy)
	h.unused, h.net, h.lossCache = unused{}, net{}, cachedLoss{}
}

// allowed is how many of its slots the host's reserve leaves to batch work now.
func (h *Host) allowed() int {
	joined := &h.Life.Joined
	return max(min(int(joined.Slots), room.Of(joined).BatchCores(h.meter.Primary)), 0)
}

// Residual is what width more busy slots would leave each of the host's slots.
func (h *Host) Residual(width uint32) float64 {
	return tct.Residual(h.Idle, min(h.Busy+int(width), h.Slots))
}

// Free is the number of slots on which a task may begin now.
func (h *Host) Free() int { return max(h.Usable-h.Busy, 0) }

// Places is the number of places that may be given away, also those where tasks wait for a
// slot.
func (h *Host) Places() int {
	if h.Usable < h.Slots {
		return h.Free() // the host declines what waits behind its reserve
	}
	return len(h.Taken) - h.Busy
}

// ExpectedResidual returns the residual that a slot of the host is expected to have over the life of a task
// when so many more are busy.
func (h *Host) ExpectedResidual(width uint32) float64 {
	return tct.Residual((h.Idle+h.Outlook.Mean)/2, min(h.Busy+int(width), h.Slots))
}

// Offer is nothing while the host takes no tasks.
func (h *Host) Offer() supply.Offer {
	if !h.Life.Open() {
		return supply.Offer{}
	}
	return supply.OfferOf(h.Idle, h.allowed())
}

// AnyOpen reports whether a host with the label takes tasks.
func (s *Hosts) AnyOpen(label string) bool {
	where := []string{label}
	for _, h := range s.ByName {
		if h.Life.Open() && h.Life.Matches(where) {
			return true
		}
	}
	return false
}
