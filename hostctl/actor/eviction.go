package actor

import (
	"fmt"

	"lull/subjects"
)

// Eviction is the order in which tasks are evicted for the primary.
type Eviction uint8

// Orders of eviction.
const (
	// Youngest ends the attempt that was assigned last (History-based harvesting).
	Youngest Eviction = iota
	// LeastWork ends the attempt that loses the least CPU time. An attempt that was
	// assigned earlier may have used less of it, or be narrower.
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

// relieveNow evicts a task, unless one is being evicted already. The next sample may
// be older than the task's end, so no other is evicted for it.
func (r *reserve) relieveNow(report Relieve) {
	if report.Attempt != 0 {
		r.evictNamed(report)
		return
	}
	if r.evicting() {
		return
	}
	r.evict(report.Why, report.AtOnce)
	r.resume = max(r.resume, r.samples+2)
}

// evict chooses a task and ends it for the primary, if there is one that is not ending
// already.
func (r *reserve) evict(why string, atOnce bool) {
	var victim *attempt
	for i := len(r.held) - 1; i >= 0; i-- {
		t := r.held[i]
		if t.occupies() && t.kill == "" && (victim == nil || r.evictionCost(t) < r.evictionCost(victim)) {
			victim = t
		}
	}
	if victim != nil {
		victim.condemn(subjects.ReasonReserve, why, atOnce)
		r.victim = victim.id
	}
}

// evictNamed ends the attempt that the report names, if it runs and is not ending
// already.
func (r *reserve) evictNamed(report Relieve) {
	if t := r.startedAttempt(report.Attempt); t != nil && t.kill == "" {
		t.condemn(report.Reason, report.Why, report.AtOnce)
	}
}

// condemn notes that an attempt is to end, and why.
func (t *attempt) condemn(reason, why string, atOnce bool) {
	t.kill, t.why, t.atOnce = reason, why, atOnce
}

// evictionCost is the CPU seconds that an attempt loses, by the residual of its slots.
// All attempts cost the same where the youngest goes first.
func (r *reserve) evictionCost(t *attempt) float64 {
	if r.cfg.Evict == Youngest {
		return 0
	}
	return (r.residual.area - t.since.area) * float64(t.width)
}
