package slotter

import (
	"slices"
	"strings"

	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/tct"
)

// host is what the slotter keeps of a host beside the ledger.
type host struct {
	life *ledger.Host

	// Telemetry. Times are the slotter's own, 0 for never.
	idle    float64 // cores
	usageAt int64
	beatAt  int64
	held    bool // its last beat says that it starts nothing: paused, or full
	strikes []strike

	shares  []share
	touched bool // what follows is to be settled
	// What is free. Settled from the ledger; a round plans on it.
	taken  []bool
	first  int // slots before it are taken
	busy   int
	memory int64
}

// share is one attempt's part in its job's rate.
type share struct {
	job  *job
	rate rate
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

// joined meets a host's new incarnation: what the last one's beats said is old.
func (a *Actor) joined(life *ledger.Host) {
	h := a.hosts.get(life)
	h.beatAt, h.held, h.strikes = 0, false, nil
	a.hosts.mark(h)
	a.due.unwanted = true
}

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
	slots := h.life.Slots()
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

// eligible reports whether the host may be given tasks now.
func (a *Actor) eligible(h *host) bool {
	return h.life.Open() && !h.held && h.usageAt != 0 &&
		a.now-h.usageAt <= int64(a.cfg.Stale) && a.silence(h) <= int64(a.cfg.Silence)
}

// hear takes a sample of telemetry in.
func (a *Actor) hear(sample subjects.Telemetry) {
	switch s := sample.(type) {
	case *subjects.Usage:
		if h := a.hosts.of[s.Host]; h != nil {
			a.usage(h, s)
		}
	case *subjects.Beat:
		if h := a.hosts.of[s.Host]; h != nil && h.life.Term == s.Term {
			a.beat(h, s)
		}
	}
}

// usage notes what the host's primary leaves idle. Only a change that its next
// task would feel calls for a round.
func (a *Actor) usage(h *host, u *subjects.Usage) {
	before, stale := h.steps(), !a.eligible(h)
	h.idle, h.usageAt = u.Idle, a.now
	if stale || h.steps() != before {
		a.hosts.mark(h)
		a.due.slots = true
	}
}

// steps are the residuals, as models see them, of the slots that are busy and
// of one more.
func (h *host) steps() [2]int {
	return [2]int{tct.Step(tct.Residual(h.idle, h.busy)), tct.Step(h.residual(1))}
}

func (a *Actor) beat(h *host, b *subjects.Beat) {
	held := b.Paused || b.Full
	if held != h.held || a.silence(h) > int64(a.cfg.Silence) {
		a.due.slots = true
	}
	h.held, h.beatAt = held, a.now
	a.compare(h, b)
}
