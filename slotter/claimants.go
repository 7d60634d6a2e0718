package slotter

import (
	"fmt"
	"math"
	"time"

	"lull/slotter/queues"
	"lull/subjects/humane"
)

// claimant is a work that is to have slots which others borrow.
type claimant struct {
	work     *work
	slots    int // tasks that are to begin
	deadline bool
	unmet    *queues.Unmet
}

// why explains to users for which claim an attempt ends.
func (c *claimant) why(now int64) string {
	waited := humane.Span(time.Duration(now - c.unmet.Since))
	if c.deadline {
		return fmt.Sprintf("job %s needs a slot for its deadline, and waited %s for it", c.work.job.life.ID, waited)
	}
	return fmt.Sprintf("queue %s holds fewer slots than its share, and job %s waited %s for one", c.work.job.queue.Name, c.work.job.life.ID, waited)
}

// claimants lists the claims that have been unmet for long enough: deadlines first,
// by time, then queues by name.
func (p *preemption) claimants() (all []claimant) {
	for _, j := range p.jobs.byDeadline {
		if j.due == never {
			break
		}
		if c, ok := p.deadlineClaim(j); ok && p.isDue(&j.unmet) {
			all = append(all, c)
		} else if !ok {
			j.unmet = queues.Unmet{}
		}
	}
	for _, q := range p.queues.All() {
		if c, ok := p.shareClaim(q); ok && p.isDue(&q.Unmet) {
			all = append(all, c)
		} else if !ok {
			q.Unmet = queues.Unmet{}
		}
	}
	return all
}

// deadlineClaim returns the job's claim if its policy would serve it first, it can still be
// in time, and its queue may borrow that much.
func (p *preemption) deadlineClaim(j *job) (c claimant, ok bool) {
	w := p.firstWork(j)
	if w == nil || w.lost(p.now) || !p.atRisk(w) {
		return c, false
	}
	short := w.slow()*float64(j.remaining)/max(j.left(p.now), 1e-3) - float64(j.rate)/rateUnit
	n := int(math.Ceil(min(short*p.usual(w.curve), float64(w.life.Waiting()))))
	if p.queues.Several() {
		n = min(n, j.queue.Borrowable()/int(w.group.line.cpu))
	}
	return claimant{work: w, slots: n, deadline: true, unmet: &j.unmet}, n > 0
}

// shareClaim returns the claim of a queue that holds a slot less than its share, and
// has a task for it.
func (p *preemption) shareClaim(q *queues.Queue) (c claimant, ok bool) {
	if !p.queues.Several() || q.Waits == 0 {
		return c, false
	}
	for _, j := range p.jobs.bySeq {
		if w := p.firstWork(j); j.queue == q && w != nil {
			n := q.Lacks() / int(w.group.line.cpu)
			return claimant{work: w, slots: n, unmet: &q.Unmet}, n > 0
		}
	}
	return c, false
}

// firstWork is the job's first work with a task that may begin and that no data node
// keeps from it, nil if there is none.
func (p *preemption) firstWork(j *job) *work {
	if j.works == nil {
		return nil
	}
	for _, w := range j.works {
		if !w.dry && !p.saturated(w, residualAt(p.supply.Usual())) {
			return w
		}
	}
	return nil
}

// isDue reports whether the claim has been unmet for long enough, and has the round come
// back when it will have been.
func (p *preemption) isDue(u *queues.Unmet) bool {
	u.Begin(p.now, p.cfg.PreemptAfter)
	if !u.Due(p.now) {
		p.decideAt(u.Until())
		return false
	}
	return true
}
