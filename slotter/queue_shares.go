package slotter

import (
	"cmp"
	"slices"
)

// weighTurns finds out how far each queue is from its share of the slots, and
// whether several wait for them. With one queue alone there is nothing to find.
func (x *waitlist) weighTurns() {
	if !x.queues.Several() {
		return
	}
	x.queues.ClearDemand()
	for _, j := range x.jobs.bySeq {
		j.countDemand()
	}
	x.contest = x.queues.Divide(x.now, x.supply.Slots(), x.cfg.Borrow)
}

// countDemand adds up what the job holds and, if it may have tasks, waits for.
func (j *job) countDemand() {
	for i, st := range j.life.Stages {
		width := int(j.life.Shape.Stages[i].CPU)
		j.queue.Held += st.Held * width
		if n := j.life.Tryable(i); n > 0 && j.admitted && j.life.Ready(i) {
			j.queue.Waits += n * width
		}
	}
}

// prefers reports whether one line's claim to a slot goes before another's.
// Within a queue the policy decides. Between queues a deadline at risk goes
// first, as far as its queue may borrow; then the queue that has the least of its share.
func (x *waitlist) prefers(p, q pick) bool {
	a, b := p.work.job.queue, q.work.job.queue
	if !x.contest || a == b {
		return p.before(q)
	}
	urgent, other := p.outOfTurn(), q.outOfTurn()
	switch {
	case urgent != other:
		return urgent
	case urgent:
		return p.before(q)
	}
	return cmp.Or(cmp.Compare(a.Turn(), b.Turn()), cmp.Compare(a.Name, b.Name)) < 0
}

// outOfTurn reports whether the claim is served out of its queue's turn.
func (p *pick) outOfTurn() bool { return p.urgent && p.work.job.queue.MayBorrow() }

// admit finds out which jobs may have tasks in this round. Of a queue with a limit these
// are the jobs that run, and then, by submission, those that a host could run. A job
// that only absent hosts could run takes the place of no other.
func (x *waitlist) admit() {
	limited := x.queues.ClearAdmitted()
	for _, j := range x.jobs.bySeq {
		j.admitted = !j.queue.Limited() || j.life.Held() > 0 && j.queue.Admit()
	}
	if !limited {
		return
	}
	could := map[*line]bool{}
	for _, j := range x.jobs.bySeq {
		if !j.admitted && j.queue.HasRoom() && j.life.Held() == 0 && x.runnable(j, could) {
			j.admitted = j.queue.Admit()
		}
	}
}

// runnable reports whether a host that takes tasks could run one of the job's. could is
// what is known of lines.
func (x *waitlist) runnable(j *job, could map[*line]bool) bool {
	if _, dead := j.life.Dead(); dead {
		return false
	}
	for i := range j.life.Stages {
		if j.life.Tryable(i) == 0 || !j.life.Ready(i) {
			continue
		}
		l := x.group(j, i).line
		fits, known := could[l]
		if !known {
			fits = slices.ContainsFunc(x.hosts.byName, func(h *host) bool { return x.eligible(h) && h.couldFit(l) })
			could[l] = fits
		}
		if fits {
			return true
		}
	}
	return false
}
