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

	class   string   // of its tenant, "" for none: see steering.go
	lasting *lasting // how likely tasks are to stay; nil before that was asked
	strikes []strike
	saved   []subjects.Saved // attempts that wrote checkpoints, by its last beat
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
	struck  int // how many have strikes
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

func (s *hosts) touch(name string) {
	if h := s.of[name]; h != nil {
		s.mark(h)
	}
}

func (s *hosts) mark(h *host) {
	if !h.touched {
		h.touched = true
		s.touched = append(s.touched, h)
	}
}

func (s *hosts) touchAll() {
	for _, h := range s.byName {
		s.mark(h)
	}
}

// forgetHosts drops what the ledger has forgotten: the hosts are those of the ledger, by
// name, also in snapshots.
func (a *Actor) forgetHosts() {
	a.hosts.byName = slices.DeleteFunc(a.hosts.byName, func(h *host) bool {
		over := a.state.Host(h.life.Name) != h.life
		if over {
			a.hosts.clearStrikes(h)
			delete(a.hosts.of, h.life.Name)
			a.dataNodes.DropHost(h.life)
		}
		return over
	})
	a.hosts.touched = slices.DeleteFunc(a.hosts.touched, func(h *host) bool { return a.hosts.of[h.life.Name] != h })
}

// joined begins a host's new incarnation: the beats of the last one no longer count.
func (a *Actor) joined(life *ledger.Host) {
	h := a.hosts.get(life)
	if len(a.hosts.byName) > len(a.state.Hosts()) {
		a.forgetHosts()
	}
	h.beatAt, h.held, h.broken, h.saved = 0, false, false, nil
	a.absent.Joined(life.Name)
	a.hosts.clearStrikes(h)
	a.hosts.mark(h)
	h.class = a.classOf(life)
	a.due.unwanted = true
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
