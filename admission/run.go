package admission

import (
	"slices"

	"lull/subjects/ledger"
)

// run lays what runs now over the slots of the pool, each task until its
// predicted end. The paper's mode knows no tasks that run: there they count as
// whole ones that wait.
func (a *Actor) run() {
	for _, l := range a.supply.active {
		for i := range l.terms {
			t := &l.terms[i]
			t.runs, t.until, t.rate = 0, 0, 0
		}
	}
	a.supply.active = a.supply.active[:0]
	free := make([]micros, 0, a.supply.slots)
	for i := range a.supply.offers {
		free = append(free, a.busy(&a.supply.offers[i])...)
	}
	a.supply.level, a.supply.blocking = newLevel(free), 0
	for _, l := range a.supply.active {
		for i := range l.terms {
			if t := &l.terms[i]; t.runs > 0 {
				a.supply.blocking = max(a.supply.blocking, t.unit.worst*t.unit.worth)
			}
		}
	}
}

// busy is when each of the host's slots is free. A host that offers fewer
// slots than it has busy gives none away until so many are done.
func (a *Actor) busy(o *offer) []micros {
	ends := make([]micros, o.slots, o.slots+int(o.host.Joined.Slots))
	if a.cfg.Mode != ModeEq7 {
		for _, at := range o.host.Attempts() {
			end := a.end(o, at)
			for range at.Width {
				ends = append(ends, end)
			}
		}
	}
	slices.Sort(ends)
	return ends[len(ends)-o.slots:]
}

// end predicts how long an attempt keeps its slots. One that nobody waits for
// is being stopped. One in a place ahead keeps none: it waits like others.
func (a *Actor) end(o *offer, at *ledger.Attempt) micros {
	if !at.Holds() || at.Slot >= o.host.Joined.Slots {
		return 0
	}
	l := a.loads[at.Job.ID]
	if l == nil || int(at.Task.Stage) >= len(l.terms) {
		return 0
	}
	t := &l.terms[at.Task.Stage]
	model := t.unit.curve.Seconds(o.residual())
	end := left(spanOf(model*t.unit.worth*l.pace.slow), since(began(at, a.now), a.now))
	a.activate(l)
	t.runs++
	t.until = max(t.until, end)
	t.rate += 1 / model
	return end
}

// left is what is left of a task that was to take total. One that is overdue
// is taken to need another tenth of the time it has had.
func left(total, had micros) micros { return max(total-had, had/10) }

// began is when an attempt's process started, as far as that is known.
func began(at *ledger.Attempt, now int64) int64 {
	if at.Started == 0 || at.Started > now {
		return now
	}
	return at.Started
}

func (a *Actor) activate(l *load) {
	if !slices.ContainsFunc(l.terms, func(t term) bool { return t.runs > 0 }) {
		a.supply.active = append(a.supply.active, l)
	}
}
