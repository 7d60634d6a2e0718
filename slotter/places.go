package slotter

import (
	"math"
	"time"

	"lull/subjects/tct"
)

const (
	// momentary is the longest predicted time of a task that may wait on a host for a slot there.
	// Through the log, the next task starts some 1.5 ms after the end of the last one on an idle
	// machine (0.3 to append the end, 0.5 to assign, 0.7 to start). On one with a busy disk and
	// busy cores it is 10 to 15 ms (trace of test/bench files), a fifth of a slot's time with tasks
	// of 50 ms. Above 100 ms it does not pay to bind a task to a host before it is known which slot
	// is free first: with four places ahead a slot, it would wait for more than 400 ms there.
	momentary = 0.1 // seconds
	// overdue is the age of an attempt at which its host is no longer trusted
	// to be done in a moment, whatever was predicted.
	overdue = int64(time.Second)
)

// brief reports whether a task is known to be over in a moment.
func brief(c *tct.Curve, residual float64) bool { return within(momentary, c, residual) }

// briefAt is brief at a step of residual.
func briefAt(c *tct.Curve, step int) bool { return c.Fitted && c.At(step) <= momentary }

// within reports whether a task is known to take no longer than some seconds. An estimate
// that no task has tested does not count as known.
func within(seconds float64, c *tct.Curve, residual float64) bool {
	return c.Fitted && c.Seconds(residual) <= seconds
}

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

// lineUp queues those hosts by their next places.
func (p *places) lineUp() {
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

// strain is what one task more on the host costs those that run there: for each
// second that it runs, so many seconds of theirs. What the round has planned
// there counts as conserved work.
func (h *host) strain() float64 {
	now, then := h.residual(0), h.residual(1)
	from, to := tct.Step(now), tct.Step(then)
	if from == to {
		return 0
	}
	sum := 0.0
	for i := range h.attempts {
		c := h.attempts[i].curve
		sum += 1 - c.At(from)/c.At(to)
	}
	planned := min(h.busy, h.slots) - len(h.attempts)
	return sum + float64(max(planned, 0))*(1-then/now)
}

// net is the expected residual of a host's next slot, less what a task there costs the others. An
// idle slot with that residual on another host is as good to the pool.
//
// It is kept with what it was computed from. A round lines up every host with a free slot, most of
// them as they were in the last round.
type net struct {
	worth      float64 // 0 before it was asked: see settle
	idle, mean float64
	busy       int
}

// netWorth returns what the host's next slot is worth net of strain.
func (h *host) netWorth() float64 {
	if n := &h.net; n.worth > 0 && n.busy == h.busy && n.idle >= h.idle && n.idle <= h.idle && n.mean >= h.outlook.Mean && n.mean <= h.outlook.Mean {
		return n.worth
	}
	h.net = net{worth: h.ahead(1) / (1 + h.strain()), idle: h.idle, mean: h.outlook.Mean, busy: h.busy}
	return h.net.worth
}
