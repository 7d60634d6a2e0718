package actor

import (
	"fmt"

	"lull/subjects"
)

// Eviction is the order in which tasks make way for the primary.
type Eviction uint8

// Orders of eviction.
const (
	// Youngest ends the attempt that was assigned last (History-based harvesting).
	Youngest Eviction = iota
	// LeastWork ends the attempt that lost the least CPU time: one that came
	// earlier may have had less of it, or be narrower.
	LeastWork
)

// ParseEviction reads "youngest" or "least-work"; "" means the first.
func ParseEviction(s string) (Eviction, error) {
	switch s {
	case "", "youngest":
		return Youngest, nil
	case "least-work":
		return LeastWork, nil
	}
	return Youngest, fmt.Errorf("order of eviction %q: use youngest or least-work", s)
}

// evict picks a task to make way for the primary, if one is left that is not
// ending already.
func (a *Actor) evict(why string, atOnce bool) {
	var victim *attempt
	for i := len(a.held) - 1; i >= 0; i-- {
		t := a.held[i]
		if t.occupies() && t.kill == "" && (victim == nil || a.loses(t) < a.loses(victim)) {
			victim = t
		}
	}
	if victim != nil {
		victim.condemn(subjects.ReasonReserve, why, atOnce)
		a.reserve.victim = victim.id
	}
}

// expel ends the attempt that was named, if it runs and is not ending already.
func (a *Actor) expel(r Relieve) {
	if t := a.attempt(r.Attempt); t != nil && t.phase == started && t.kill == "" {
		t.condemn(r.Reason, r.Why, r.AtOnce)
	}
}

// condemn notes that an attempt is to end, and why.
func (t *attempt) condemn(reason, why string, atOnce bool) {
	t.kill, t.why, t.atOnce = reason, why, atOnce
}

// loses is what an attempt's eviction costs: the CPU seconds that it had, by the
// residual of its slots. All cost the same where the youngest goes first.
func (a *Actor) loses(t *attempt) float64 {
	if a.cfg.Evict == Youngest {
		return 0
	}
	return (a.residual.area - t.since.area) * float64(t.width)
}
