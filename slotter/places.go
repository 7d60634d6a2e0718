package slotter

import (
	"math"

	"lull/subjects/tct"
)

// places are the slots of hosts, and the places ahead, that a round may give away. Hosts
// come in the order of their next places, the best first.
type places struct {
	*facts
	open  []*host    // with a place worth giving away, by name
	slots *slotQueue // those with a free slot
	ahead *slotQueue // those where a task may wait for one
	drawn *drawQueue // in place of slots where hosts are drawn, else nil
	stays *survivals // where history chooses hosts, else nil
	asked stay       // of the round's tasks on hosts, for stays
	free  int        // number of places
	taken int        // number of places looked at
	nets  bool       // slots count for what they are worth net of strain
}

// newPlaces returns the places of a round, none before begin. s says how likely tasks are to stay.
func newPlaces(f *facts, s *survivals) *places {
	p := &places{facts: f, slots: new(slotQueue), ahead: new(slotQueue), nets: f.cfg.Policy == PolicyMPPlus}
	switch {
	case f.cfg.Steer == SteerProfile:
		p.stays = s
	case f.cfg.Policy == PolicyHarvest:
		p.drawn = new(drawQueue)
	}
	return p
}

// begin forgets the last round's places, and keeps their room.
func (p *places) begin() {
	p.slots.reset()
	p.ahead.reset()
	p.open, p.free, p.taken = p.open[:0], 0, 0
}

// findHosts finds the hosts with a place worth giving away.
func (p *places) findHosts() {
	for _, h := range p.hosts.byName {
		if (h.free() > 0 || p.needsRefill(h)) && p.eligible(h) {
			p.free += h.places()
			p.open = append(p.open, h)
		}
	}
}

// draws reports whether hosts are drawn.
func (p *places) draws() bool { return p.drawn != nil }

// lineUp queues those hosts by their next places, for tasks that ask for this stay.
func (p *places) lineUp(asked stay) {
	p.asked = asked
	if p.drawn != nil {
		p.drawn.reset(p.open, uint64(p.now))
		return
	}
	for _, h := range p.open {
		if h.free() > 0 {
			p.put(h)
		} else {
			p.ahead.put(h, h.residual(1))
		}
	}
}

// put queues a host by its next place, if it has one to give.
func (p *places) put(h *host) {
	switch {
	case p.drawn != nil:
		p.drawn.put(h)
	case h.free() > 0:
		p.slots.put(h, p.counts(h))
	case p.mayWait(h):
		p.ahead.put(h, h.residual(1))
	}
}

// counts is what the host's next slot counts for: its residual, or what that is worth net of strain,
// in proportion to the part of the work that is not expected to be lost.
func (p *places) counts(h *host) float64 {
	worth := 1.0
	switch {
	case p.nets:
		worth = h.netWorth()
	case p.cfg.Policy != PolicyHarvest:
		worth = h.residual(1)
	}
	if p.stays != nil {
		worth *= p.stays.of(h, p.asked)
	}
	return worth
}

// likelyStays is the probability, in hundredths, that a task stays on the host. It is 0 where history
// does not choose hosts or knows nothing of the host's tenant.
func (p *places) likelyStays(h *host, d stay) float64 {
	if p.stays == nil || !p.stays.knows(h) {
		return 0
	}
	return max(math.Round(100*p.stays.of(h, d))/100, 0.01)
}

// takeBest returns the host of the best free slot or, when there is none, of the
// best place ahead. Where hosts are drawn, any free slot is the best, and none waits ahead.
func (p *places) takeBest() *host {
	p.taken++
	if p.drawn != nil {
		return p.drawn.take()
	}
	if h := p.slots.takeBest(); h != nil {
		return h
	}
	return p.ahead.takeBest()
}

// step is the step of the residual with which the policy sees the host's next slot.
func (p *places) step(h *host, l *line) int {
	if p.nets {
		return tct.Step(h.ahead(l.cpu))
	}
	return tct.Step(h.residual(l.cpu))
}

// mayWait reports whether a task may wait on the host for one of its slots: the host has a place
// ahead, its reserve leaves all slots to batch work, and all its tasks are over in a moment. Behind
// a long task, the waiting one would only be kept from other hosts.
func (p *places) mayWait(h *host) bool {
	return 0 < h.slots && h.slots == h.usable && h.slots <= h.busy && h.busy < len(h.taken) && h.brief && p.now-h.oldest < overdue
}

// needsRefill reports whether the host's places ahead are worth filling: when half of them are
// empty. Filled one by one, each as it empties, they would cost a batch of the log a task instead
// of one for several, and nothing runs earlier.
func (p *places) needsRefill(h *host) bool {
	return p.mayWait(h) && 2*(len(h.taken)-h.busy) >= len(h.taken)-h.slots
}

// freeAt is the number of hosts whose next free slot counts for a step.
func (p *places) freeAt(step int) int { return p.slots.at(step) }

// bestFirst appends the open hosts with a free slot that are to be had, the best slot first.
func (p *places) bestFirst(to []*host, wanted func(*host) bool) []*host {
	p.slots.reset()
	for _, h := range p.open {
		if h.free() > 0 && wanted(h) {
			p.put(h)
		}
	}
	for h := p.slots.takeBest(); h != nil; h = p.slots.takeBest() {
		to = append(to, h)
	}
	return to
}
