// Package places orders the slots of hosts, and the places ahead, that a round of assignments may give away: the best first.
package places

import (
	"math"

	"lull/slotter/facts"
	"lull/slotter/tenants"
	"lull/subjects/tct"
)

// Places are the slots of hosts, and the places ahead, that a round may give away. Hosts
// come in the order of their next places, the best first.
type Places struct {
	*facts.Facts
	open  []*facts.Host     // with a place worth giving away, by name
	slots *slotQueue        // those with a free slot
	ahead *slotQueue        // those where a task may wait for one
	drawn *drawQueue        // in place of slots where hosts are drawn, else nil
	stays *tenants.StayOdds // where history chooses hosts, else nil
	asked tenants.Stay      // of the round's tasks on hosts, for stays
	Free  int               // number of places
	Taken int               // number of places looked at
	nets  bool              // slots count for what they are worth net of strain
}

// New returns the places of a round, none before begin. s says how likely tasks are to stay.
func New(f *facts.Facts, s *tenants.StayOdds) *Places {
	p := &Places{Facts: f, slots: new(slotQueue), ahead: new(slotQueue), nets: f.Config.Policy == facts.PolicyMPPlus}
	switch {
	case f.Config.Steer == facts.SteerProfile:
		p.stays = s
	case f.Config.Policy == facts.PolicyHarvest:
		p.drawn = new(drawQueue)
	}
	return p
}

// Begin forgets the last round's places, and keeps their room.
func (p *Places) Begin() {
	p.slots.reset()
	p.ahead.reset()
	p.open, p.Free, p.Taken = p.open[:0], 0, 0
}

// FindHosts finds the hosts with a place worth giving away. Where no host of the pool has CPU to spare, that is any
// free slot: a task that waited would get nothing, and one that runs gets the little that the kernel leaves the idle
// class.
func (p *Places) FindHosts() {
	p.slots.still = true
	for _, h := range p.Hosts.ByName {
		p.slots.still = p.slots.still && (h.Idle < tct.MinResidual || !p.Eligible(h))
		if (h.Free() > 0 || h.Parts.Spare() || p.needsRefill(h)) && p.Eligible(h) {
			p.Free += max(h.Places(), 1)
			p.open = append(p.open, h)
		}
	}
}

// Draws reports whether hosts are drawn.
func (p *Places) Draws() bool { return p.drawn != nil }

// LineUp queues those hosts by their next places, for tasks that ask for this stay.
func (p *Places) LineUp(asked tenants.Stay) {
	p.asked = asked
	if p.drawn != nil {
		p.drawn.reset(p.open, uint64(p.Now))
		return
	}
	for _, h := range p.open {
		if h.Free() > 0 || h.Parts.Spare() {
			p.Put(h)
		} else {
			p.ahead.put(h, h.Residual(1))
		}
	}
}

// Put queues a host by its next place, if it has one to give.
func (p *Places) Put(h *facts.Host) {
	switch {
	case p.drawn != nil:
		p.drawn.put(h)
	case h.Free() > 0:
		p.slots.put(h, p.slotValue(h))
	case h.Parts.Spare() || p.MayWait(h):
		p.ahead.put(h, h.Residual(1))
	}
}

// slotValue is what the host's next slot counts for: its residual, or what that is worth net of strain,
// in proportion to the part of the work that is not expected to be lost.
func (p *Places) slotValue(h *facts.Host) float64 {
	worth := 1.0
	switch {
	case p.nets:
		worth = h.NetWorth()
	case p.Config.Policy != facts.PolicyHarvest:
		worth = h.Residual(1)
	}
	if p.stays != nil {
		worth *= p.stays.Of(h, p.asked)
	}
	return worth
}

// StayPercent is the probability, in hundredths, that a task stays on the host. It is 0 where history
// does not choose hosts or knows nothing of the host's tenant.
func (p *Places) StayPercent(h *facts.Host, d tenants.Stay) float64 {
	if p.stays == nil || !p.stays.HasModel(h) {
		return 0
	}
	return max(math.Round(100*p.stays.Of(h, d))/100, 0.01)
}

// TakeBest returns the host of the best free slot or, when there is none, of the
// best place ahead. Where hosts are drawn, any free slot is the best, and none waits ahead.
func (p *Places) TakeBest() *facts.Host {
	p.Taken++
	if p.drawn != nil {
		return p.drawn.take()
	}
	if h := p.slots.takeBest(); h != nil {
		return h
	}
	return p.ahead.takeBest()
}

// Step is the step of the residual with which the policy sees the host's next slot.
func (p *Places) Step(h *facts.Host, l *facts.Line) int {
	if p.nets {
		return tct.Step(h.ExpectedResidual(l.EmptySlotsNeeded(h)))
	}
	return tct.Step(h.Residual(l.EmptySlotsNeeded(h)))
}

// MayWait reports whether a task may wait on the host for one of its slots: the host has a place
// ahead, its reserve leaves all slots to batch work, and all its tasks are over in a moment. Behind
// a long task, the waiting one would only be kept from other hosts.
func (p *Places) MayWait(h *facts.Host) bool {
	return 0 < h.Slots && h.Slots == h.Usable && h.Slots <= h.Busy && h.Busy < len(h.Taken) && h.Brief && p.Now-h.Oldest < facts.Overdue
}

// needsRefill reports whether the host's places ahead are worth filling: when half of them are
// empty. Filled one by one, each as it empties, they would cost a batch of the log a task instead
// of one for several, and nothing runs earlier.
func (p *Places) needsRefill(h *facts.Host) bool {
	return p.MayWait(h) && 2*(len(h.Taken)-h.Busy) >= len(h.Taken)-h.Slots
}

// FreeAt is the number of hosts whose next free slot counts for a step.
func (p *Places) FreeAt(step int) int { return p.slots.at(step) }

// BestFirst appends the open hosts with a free slot that are to be had, the best slot first.
func (p *Places) BestFirst(to []*facts.Host, wanted func(*facts.Host) bool) []*facts.Host {
	p.slots.reset()
	for _, h := range p.open {
		if h.Free() > 0 && wanted(h) {
			p.Put(h)
		}
	}
	for h := p.slots.takeBest(); h != nil; h = p.slots.takeBest() {
		to = append(to, h)
	}
	return to
}
