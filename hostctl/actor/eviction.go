package actor

import (
	"fmt"
	"slices"

	"lull/subjects"
)

// Eviction is the order in which tasks are evicted for the primary.
type Eviction uint8

// Orders of eviction.
const (
	// Youngest ends the attempt that was assigned last (History-based harvesting).
	Youngest Eviction = iota
	// LeastWork ends the attempt that loses the least CPU time. An attempt that was
	// assigned earlier may have used less of it, be narrower, or have just written its
	// checkpoint.
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

// relieveNow evicts a task, unless one is being evicted already. The next sample may be
// older than the task's end: the reserve counts the task as ending until then.
func (r *reserve) relieveNow(report Relieve) {
	if report.Attempt != 0 {
		r.evictNamed(report)
		return
	}
	if r.evicting() {
		return
	}
	r.evictAmong(report.Among, report.Why, report.urgency())
}

// evict chooses a task and ends it for the primary. It reports whether there was one that was
// not ending already.
func (r *reserve) evict(why string, urgency Urgency) bool { return r.evictAmong(nil, why, urgency) }

// evictAmong is evict with the attempts to choose from, nil for all.
func (r *reserve) evictAmong(among []uint64, why string, urgency Urgency) bool {
	var victim *attempt
	for i := len(r.held) - 1; i >= 0; i-- {
		t := r.held[i]
		if t.occupies() && t.endReason == "" && (among == nil || slices.Contains(among, t.id)) && (victim == nil || r.evictionCost(t) < r.evictionCost(victim)) {
			victim = t
		}
	}
	if victim == nil {
		return false
	}
	victim.condemn(subjects.ReasonReserve, why, urgency)
	r.ending = append(r.ending, victim)
	return true
}

// evictNamed ends the attempt that the report names, if it runs and is not ending
// already.
func (r *reserve) evictNamed(report Relieve) {
	if t := r.startedAttempt(report.Attempt); t != nil && t.endReason == "" {
		t.condemn(report.Reason, report.Why, report.urgency())
	}
}

// condemn notes that an attempt is to end, and why.
func (t *attempt) condemn(reason, why string, urgency Urgency) {
	t.endReason, t.endText, t.urgency = reason, why, urgency
}

// evictionCost returns the CPU seconds that an attempt would lose. It integrates the residual of
// the attempt's slots since its start, or since its last write to its checkpoint folder. With the
// order "youngest" all attempts cost the same.
func (r *reserve) evictionCost(t *attempt) float64 {
	if r.cfg.Evict == Youngest {
		return 0
	}
	return (r.residual.slotSeconds - max(t.startMark.slotSeconds, t.savedMark.slotSeconds)) * t.cores().Float()
}

// savedCPU is the part of the CPU seconds that an attempt used before it last wrote to its
// checkpoint folder, if it used them evenly.
func (e *Ended) savedCPU() float64 {
	if e.Run.Seconds <= 0 {
		return 0
	}
	return e.Run.CPU * min(max(e.Saved/e.Run.Seconds, 0), 1)
}
