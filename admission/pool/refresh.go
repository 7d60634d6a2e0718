package pool

import (
	"slices"
	"time"

	"lull/admission/outlook"
	"lull/subjects/tct"
)

// lookEvery bounds how old a look may be.
const lookEvery = int64(time.Second)

// maxReweighed is how many loads one look weighs anew, in a few milliseconds.
const maxReweighed = 4_000

// maxUnits bounds the units, classes and curves kept ready, beyond a few for
// each load: a unit takes two kilobytes.
const maxUnits = 4096

// Refresh updates the pool, and the loads of jobs with changed tasks. When the cost of tasks has
// changed, it updates all loads in turns: a queue of 100,000 takes a tenth of a second, and
// residuals change over minutes, so some steps of delay do not matter. When hosts come or go with a
// tenth of the slots, it updates all at once.
func (p *Pool) Refresh() { p.RefreshSince(lookEvery) }

// RefreshSince is refresh unless the last one is younger than age, in nanoseconds.
func (p *Pool) RefreshSince(age int64) {
	if p.Supply.At != 0 && p.Now-p.Supply.At < age {
		return
	}
	p.Supply.At = p.Now
	p.tidy()
	slots := p.Supply.Slots
	moved := p.updateOffers()
	if p.Costs.noteRefits() || moved {
		p.Supply.Due = p.Queue.Len()
	}
	p.updateRunning()
	most := maxReweighed
	if change := p.Supply.Slots - slots; 10*max(change, -change) > slots {
		most = p.Queue.Len()
	}
	p.reweighDue(most)
}

// updateRunning takes in what runs now, and what ended.
func (p *Pool) updateRunning() {
	for _, l := range p.Running.layOut() {
		p.reweigh(l)
	}
	for _, l := range p.Supply.Active {
		p.reweigh(l)
	}
	for id := range p.touched {
		if j := p.Ledger.Job(id); j != nil {
			if l := p.Load(j); l != nil {
				p.reweigh(l)
			}
		}
	}
	clear(p.touched)
}

func (p *Pool) reweigh(l *Load) {
	p.Costs.applyRefits(l)
	l.count()
	p.Weigh(l)
	p.Queue.Touch(l)
}

// reweighDue weighs the next of the loads that are due, so many at most.
func (p *Pool) reweighDue(most int) {
	s := p.Supply
	n := min(s.Due, most, p.Queue.Len())
	s.Due -= n
	if n == 0 {
		return
	}
	for b, l := range p.Queue.After(s.last) {
		p.Costs.applyRefits(l)
		p.Weigh(l)
		s.last, b.Fresh = l, false
		if n--; n == 0 {
			return
		}
	}
}

// updateOffers takes in what hosts offer now. It reports whether that changes what
// tasks cost.
func (p *Pool) updateOffers() bool {
	offers, margin := p.Supply.list(), p.Margin()
	moved := !slices.Equal(offers, p.Supply.offers)
	if margin <= p.Supply.costMargin && margin >= p.Supply.costMargin && !moved {
		return false
	}
	p.Supply.offers, p.Supply.costMargin = offers, margin
	p.Supply.fences.count(offers)
	p.Supply.Slots, p.Supply.Warp = 0, outlook.NewWarp(outlooks(offers))
	for i := range offers {
		p.Supply.Slots += offers[i].Most()
	}
	clear(p.Costs.hops)
	for _, c := range p.Costs.classes {
		c.count(offers)
	}
	for _, u := range p.Costs.units {
		if u.Class.changed {
			u.weigh(p.Supply.Slots, margin)
		} else {
			u.price(p.Supply.Slots, margin)
		}
	}
	return true
}

// tidy drops what only jobs of the past needed.
func (p *Pool) tidy() {
	if len(p.Costs.units)+p.Costs.curves.Len() < maxUnits+8*p.Queue.Len() {
		return
	}
	p.Costs.curves, p.Costs.classes, p.Costs.units = tct.NewCurves(), map[Needs]*Class{}, map[unitKey]*Unit{}
	clear(p.Costs.hops)
	for l := range p.Queue.All() {
		for i := range l.Stages {
			p.Costs.resolve(l, i)
		}
	}
}
