package preemption

import (
	"fmt"
	"math"
	"time"

	"lull/slotter/facts"
	"lull/slotter/queues"
	"lull/subjects/humane"
)

// claimant is a work that is to have slots which others borrow.
type claimant struct {
	work     *facts.Work
	slots    int // tasks that are to begin
	deadline bool
	unmet    *queues.Unmet
}

// why explains to users for which claim an attempt ends.
func (c *claimant) why(now int64) string {
	waited := humane.Span(time.Duration(now - c.unmet.Since))
	if c.deadline {
		return fmt.Sprintf("job %s needs a slot for its deadline, and waited %s for it", c.work.Job.Life.ID, waited)
	}
	return fmt.Sprintf("queue %s holds fewer slots than its share, and job %s waited %s for one", c.work.Job.Queue.Name, c.work.Job.Life.ID, waited)
}

// claimants lists the claims that have been unmet for long enough: deadlines first,
// by time, then queues by name.
func (p *Preemption) claimants() (all []claimant) {
	for _, j := range p.Jobs.ByDeadline {
		if j.Due == facts.Never {
			break
		}
		if c, ok := p.deadlineClaim(j); ok && p.isDue(&j.Unmet) {
			all = append(all, c)
		} else if !ok {
			j.Unmet = queues.Unmet{}
		}
	}
	for _, q := range p.Queues.All() {
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
func (p *Preemption) deadlineClaim(j *facts.Job) (c claimant, ok bool) {
	w := p.firstWork(j)
	if w == nil || w.TooLate(p.Now) || !p.AtRisk(w) {
		return c, false
	}
	short := w.Slow()*float64(j.Remaining)/max(j.TimeLeft(p.Now), 1e-3) - float64(j.Rate)/facts.RateUnit
	n := int(math.Ceil(min(short*p.Usual(w.Curve), float64(w.Usable()))))
	if p.Queues.Several() {
		n = min(n, w.Group.Line.TasksIn(j.Queue.Borrowable()))
	}
	return claimant{work: w, slots: n, deadline: true, unmet: &j.Unmet}, n > 0
}

// shareClaim returns the claim of a queue that holds a slot less than its share, and
// has a task for it.
func (p *Preemption) shareClaim(q *queues.Queue) (c claimant, ok bool) {
	if !p.Queues.Several() || q.WaitingSlots == 0 {
		return c, false
	}
	for _, j := range p.Jobs.BySeq {
		if w := p.firstWork(j); j.Queue == q && w != nil {
			n := w.Group.Line.TasksIn(q.Lacks())
			return claimant{work: w, slots: n, unmet: &q.Unmet}, n > 0
		}
	}
	return c, false
}

// firstWork is the job's first work with a task that may begin and that no data node
// keeps from it, nil if there is none.
func (p *Preemption) firstWork(j *facts.Job) *facts.Work {
	if j.Works == nil {
		return nil
	}
	for _, w := range j.Works {
		if !w.Dry && !p.Saturated(w, facts.ResidualAt(p.Supply.Usual())) {
			return w
		}
	}
	return nil
}

// isDue reports whether the claim has been unmet for long enough, and has the round come
// back when it will have been.
func (p *Preemption) isDue(u *queues.Unmet) bool {
	u.Begin(p.Now, p.Config.PreemptAfter)
	if !u.Due(p.Now) {
		p.DecideAt(u.Until())
		return false
	}
	return true
}
