package admission

import (
	"maps"
	"slices"
	"time"

	"lull/subjects/tct"
)

// supply is what the pool offers, as it was when it was looked at last, at most a second ago:
// looking is a walk over all that runs. What was done since then only makes
// its predictions safer.
type supply struct {
	at     int64 // Unix nanoseconds, 0: look again
	offers []offer
	slots  int   // that the offers have
	seats  seats // of the slots, made when a prediction first needs them: see Actor.seats
	level  *level
	active []*load // with tasks on the level's slots
	// blocking is the longest time that one of those takes on the worst slot,
	// in seconds.
	blocking float64
	worth    float64 // margin that the units were weighed with

	last *load // the next turn begins after it, or at the queue's beginning if nil
	due  int   // number of jobs due
}

// lookEvery bounds how old a look may be.
const lookEvery = int64(time.Second)

// turns is how many loads one look weighs anew, in a few milliseconds.
const turns = 4_000

// maxUnits bounds the units, classes and curves kept ready, beyond a few for
// each load: a unit takes two kilobytes.
const maxUnits = 4096

// look brings the pool up to date, and the loads of jobs with changed tasks. When what
// tasks cost has changed, all loads follow: by turns, because a queue of 100,000
// takes a tenth of a second, and residuals are those of minutes, so that some
// looks more do not matter. When hosts come or go with a tenth of the slots, all
// follow at once.
func (a *Actor) look() {
	if a.supply.at != 0 && a.now-a.supply.at < lookEvery {
		return
	}
	a.supply.at = a.now
	a.tidy()
	slots := a.supply.slots
	moved := a.recount()
	if a.relearn() || moved {
		a.supply.due = a.queue.Len()
	}
	a.rerun()
	most := turns
	if change := a.supply.slots - slots; 10*max(change, -change) > slots {
		most = a.queue.Len()
	}
	a.turn(most)
}

// rerun takes in what runs now, and what ended.
func (a *Actor) rerun() {
	for _, l := range a.run() {
		a.reweigh(l)
	}
	for _, l := range a.supply.active {
		a.reweigh(l)
	}
	for id := range a.touched {
		if j := a.state.Job(id); j != nil {
			if l := a.load(j); l != nil {
				a.reweigh(l)
			}
		}
	}
	clear(a.touched)
}

func (a *Actor) reweigh(l *load) {
	a.relearnt(l)
	l.count()
	l.weigh(a.supply.blocking)
	a.queue.Touch(l)
}

// turn weighs the next of the loads that are due, so many at most.
func (a *Actor) turn(most int) {
	s := &a.supply
	n := min(s.due, most, a.queue.Len())
	s.due -= n
	if n == 0 {
		return
	}
	for b, l := range a.queue.after(s.last) {
		a.relearnt(l)
		l.weigh(s.blocking)
		s.last, b.Fresh = l, false
		if n--; n == 0 {
			return
		}
	}
}

// recount takes in what hosts offer now. It reports whether that changes what
// tasks cost.
func (a *Actor) recount() bool {
	offers, margin := a.offers(), a.margin()
	moved := !slices.Equal(offers, a.supply.offers)
	if margin <= a.supply.worth && margin >= a.supply.worth && !moved {
		return false
	}
	a.supply.offers, a.supply.worth = offers, margin
	a.supply.slots = 0
	for i := range offers {
		a.supply.slots += offers[i].slots
	}
	for _, c := range a.classes {
		c.count(offers)
	}
	for _, u := range a.units {
		u.weigh(a.supply.slots, margin)
	}
	return true
}

// relearn notes the models that were refitted. Loads get the new curves when they are
// next weighed.
func (a *Actor) relearn() bool {
	if len(a.refitted) == 0 {
		return false
	}
	a.lessons++
	for model := range a.refitted {
		a.learnt[model] = a.lessons
	}
	clear(a.refitted)
	a.unlearn()
	return true
}

// unlearn drops the lessons on models that the ledger has forgotten: no open job has
// them.
func (a *Actor) unlearn() {
	maps.DeleteFunc(a.learnt, func(model string, _ uint64) bool { return a.state.Model(model) == nil })
}

// relearnt gives a load's stages the new curves of models that changed since the load
// was last weighed.
func (a *Actor) relearnt(l *load) {
	if l.lessons == a.lessons {
		return
	}
	for i := range l.terms {
		if a.learnt[l.terms[i].model] > l.lessons {
			a.resolve(l, i)
		}
	}
	l.lessons = a.lessons
}

// tidy drops what only jobs of the past needed.
func (a *Actor) tidy() {
	if len(a.units)+a.curves.Len() < maxUnits+8*a.queue.Len() {
		return
	}
	a.curves, a.classes, a.units = tct.NewCurves(), map[needs]*class{}, map[unitKey]*unit{}
	for l := range a.queue.All() {
		for i := range l.terms {
			a.resolve(l, i)
		}
	}
}
