package slotter

import "math"

// claimants are those who were kept from slots for long enough: deadlines first,
// the earliest of them, then queues by name.
func (r *round) claimants() (all []claimant) {
	for _, j := range r.a.jobs.byDeadline {
		if j.due == never {
			break
		}
		if c, ok := r.needy(j); ok && r.stands(&j.want) {
			all = append(all, c)
		} else if !ok {
			j.want = want{}
		}
	}
	for _, q := range r.a.queues.byName {
		if c, ok := r.lacking(q); ok && r.stands(&q.want) {
			all = append(all, c)
		} else if !ok {
			q.want = want{}
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
	if len(r.a.queues.byName) > 1 {
		n = min(n, int(j.queue.borrow-float64(j.queue.held))/int(w.group.line.cpu))
	}
	return claimant{work: w, slots: n, deadline: true, want: &j.want}, n > 0
}

// lacking returns the claim of a queue that holds a slot less than its share, and
// has a task for it.
func (r *round) lacking(q *queue) (c claimant, ok bool) {
	if len(r.a.queues.byName) < 2 || q.waits == 0 {
		return c, false
	}
	for _, j := range r.a.jobs.bySeq {
		if w := r.starts(j); j.queue == q && w != nil {
			n := (int(q.fair) - q.held) / int(w.group.line.cpu)
			return claimant{work: w, slots: n, want: &q.want}, n > 0
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
