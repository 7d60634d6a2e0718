package slotter

import (
	"math"

	"lull/slotter/queues"
)

// claimants lists the claims that have been unmet for long enough: deadlines first,
// by time, then queues by name.
func (r *round) claimants() (all []claimant) {
	for _, j := range r.a.jobs.byDeadline {
		if j.due == never {
			break
		}
		if c, ok := r.needy(j); ok && r.stands(&j.unmet) {
			all = append(all, c)
		} else if !ok {
			j.unmet = queues.Unmet{}
		}
	}
	for _, q := range r.a.queues.All() {
		if c, ok := r.lacking(q); ok && r.stands(&q.Unmet) {
			all = append(all, c)
		} else if !ok {
			q.Unmet = queues.Unmet{}
		}
	}
	return all
}

// needy returns the job's claim if its policy would serve it first, it can still be
// in time, and its queue may borrow that much.
func (r *round) needy(j *job) (c claimant, ok bool) {
	p, knows := r.a.policy.(presser)
	w := r.starts(j)
	if !knows || w == nil || w.lost(r.now) || !p.presses(r, w) {
		return c, false
	}
	short := w.slow()*float64(j.remaining)/max(j.left(r.now), 1e-3) - float64(j.rate)/rateUnit
	n := int(math.Ceil(min(short*r.a.usual(w.curve), float64(w.life.Waiting()))))
	if r.a.queues.Several() {
		n = min(n, j.queue.Borrowable()/int(w.group.line.cpu))
	}
	return claimant{work: w, slots: n, deadline: true, unmet: &j.unmet}, n > 0
}

// lacking returns the claim of a queue that holds a slot less than its share, and
// has a task for it.
func (r *round) lacking(q *queues.Queue) (c claimant, ok bool) {
	if !r.a.queues.Several() || q.Waits == 0 {
		return c, false
	}
	for _, j := range r.a.jobs.bySeq {
		if w := r.starts(j); j.queue == q && w != nil {
			n := q.Lacks() / int(w.group.line.cpu)
			return claimant{work: w, slots: n, unmet: &q.Unmet}, n > 0
		}
	}
	return c, false
}

// starts is the job's first work with a task that may begin and that no data node
// keeps from it, nil if there is none.
func (r *round) starts(j *job) *work {
	if j.works == nil {
		return nil
	}
	for _, w := range j.works {
		if !w.dry && !r.saturated(w, residualAt(r.a.supply.usual())) {
			return w
		}
	}
	return nil
}
