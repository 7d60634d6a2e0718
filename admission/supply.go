package admission

import (
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
	slots  int // that the offers have
	level  *level
	active []*load // with tasks on the level's slots
	// blocking is the longest time that one of those takes on the worst slot,
	// in seconds.
	blocking float64
	worth  float64 // margin that the units were weighed with
}

// lookEvery bounds how old a look may be.
const lookEvery = int64(time.Second)

// maxUnits bounds the units, classes and curves kept ready, beyond a few for
// each load: a unit takes two kilobytes.
const maxUnits = 4096

// look brings the pool up to date.
func (a *Actor) look() {
	if a.supply.at != 0 && a.now-a.supply.at < lookEvery {
		return
	}
	a.supply.at = a.now
	a.tidy()
	all := a.recount()
	all = a.relearn() || all
	was := a.supply.active
	a.run()
	if all {
		was = a.queue
	}
	for _, l := range was {
		l.weigh(a.supply.blocking)
	}
	for _, l := range a.supply.active {
		l.weigh(a.supply.blocking)
	}
	for id := range a.touched {
		if l := a.loads[id]; l != nil {
			l.weigh(a.supply.blocking)
		}
	}
	clear(a.touched)
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

// relearn gives the stages of refitted models their new curves.
func (a *Actor) relearn() bool {
	if len(a.refitted) == 0 {
		return false
	}
	for _, l := range a.queue {
		for i := range l.terms {
			if a.refitted[l.terms[i].model] {
				a.resolve(l, i)
			}
		}
	}
	clear(a.refitted)
	return true
}

// tidy drops what only jobs of the past needed.
func (a *Actor) tidy() {
	if len(a.units)+a.curves.Len() < maxUnits+8*len(a.queue) {
		return
	}
	a.curves, a.classes, a.units = tct.NewCurves(), map[needs]*class{}, map[unitKey]*unit{}
	for _, l := range a.queue {
		for i := range l.terms {
			a.resolve(l, i)
		}
	}
}
