package admission

import (
	"slices"
	"time"

	"lull/admission/outlook"
	"lull/subjects/tct"
)

// lookEvery bounds how old a look may be.
const lookEvery = int64(time.Second)

// turns is how many loads one look weighs anew, in a few milliseconds.
const turns = 4_000

// maxUnits bounds the units, classes and curves kept ready, beyond a few for
// each load: a unit takes two kilobytes.
const maxUnits = 4096

// refresh updates the pool, and the loads of jobs with changed tasks. When the cost of tasks has
// changed, it updates all loads in turns: a queue of 100,000 takes a tenth of a second, and
// residuals change over minutes, so some steps of delay do not matter. When hosts come or go with a
// tenth of the slots, it updates all at once.
func (p *pool) refresh() { p.refreshSince(lookEvery) }

// refreshSince is refresh unless the last one is younger than age, in nanoseconds.
func (p *pool) refreshSince(age int64) {
	if p.supply.at != 0 && p.now-p.supply.at < age {
		return
	}
	p.supply.at = p.now
	p.tidy()
	slots := p.supply.slots
	moved := p.recount()
	if p.costs.relearn() || moved {
		p.supply.due = p.queue.Len()
	}
	p.rerun()
	most := turns
	if change := p.supply.slots - slots; 10*max(change, -change) > slots {
		most = p.queue.Len()
	}
	p.turn(most)
}

// rerun takes in what runs now, and what ended.
func (p *pool) rerun() {
	for _, l := range p.run() {
		p.reweigh(l)
	}
	for _, l := range p.supply.active {
		p.reweigh(l)
	}
	for id := range p.touched {
		if j := p.state.Job(id); j != nil {
			if l := p.load(j); l != nil {
				p.reweigh(l)
			}
		}
	}
	clear(p.touched)
}

func (p *pool) reweigh(l *load) {
	p.costs.relearnt(l)
	l.count()
	p.weigh(l)
	p.queue.Touch(l)
}

// turn weighs the next of the loads that are due, so many at most.
func (p *pool) turn(most int) {
	s := p.supply
	n := min(s.due, most, p.queue.Len())
	s.due -= n
	if n == 0 {
		return
	}
	for b, l := range p.queue.after(s.last) {
		p.costs.relearnt(l)
		p.weigh(l)
		s.last, b.Fresh = l, false
		if n--; n == 0 {
			return
		}
	}
}

// recount takes in what hosts offer now. It reports whether that changes what
// tasks cost.
func (p *pool) recount() bool {
	offers, margin := p.supply.list(), p.margin()
	moved := !slices.Equal(offers, p.supply.offers)
	if margin <= p.supply.worth && margin >= p.supply.worth && !moved {
		return false
	}
	p.supply.offers, p.supply.worth = offers, margin
	p.supply.fences.count(offers)
	p.supply.slots, p.supply.warp = 0, outlook.Warp{}
	for i := range offers {
		p.supply.slots += offers[i].Most()
		p.supply.warp.Add(&offers[i].Outlook)
	}
	p.supply.warp.Relate()
	clear(p.costs.hops)
	for _, c := range p.costs.classes {
		c.count(offers)
	}
	for _, u := range p.costs.units {
		if u.class.changed {
			u.weigh(p.supply.slots, margin)
		} else {
			u.price(p.supply.slots, margin)
		}
	}
	return true
}

// tidy drops what only jobs of the past needed.
func (p *pool) tidy() {
	if len(p.costs.units)+p.costs.curves.Len() < maxUnits+8*p.queue.Len() {
		return
	}
	p.costs.curves, p.costs.classes, p.costs.units = tct.NewCurves(), map[needs]*class{}, map[unitKey]*unit{}
	clear(p.costs.hops)
	for l := range p.queue.All() {
		for i := range l.terms {
			p.costs.resolve(l, i)
		}
	}
}
