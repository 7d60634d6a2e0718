package slotter

import (
	"fmt"
	"time"

	"lull/slotter/queues"
)

// Preemption: what becomes of tasks beyond their queue's share when a claim comes. A
// claim is that of a queue to its share, or of a job to what its deadline needs, up to
// what its queue may borrow.
//
//	throttle  rates follow the claims within a second (see divide): a borrower is
//	          slowed to its share, and for a deadline to the part that it keeps. Its
//	          tasks keep their memory and progress (Park and Humphrey, sections 1, 9)
//	kill      and where a slot is what is wanted, which no rate frees, attempts end
//	          that lose the least work, once the claim stood unmet for a while
//	none      what runs goes on as it began: see spare
//
// A queue or job with a claim gives up nothing, so that two never take from each other: a
// queue gives slots only beyond its share, and is given them only below; a job with
// a deadline gives none that it needs for it.

// stands reports whether the claim has been unmet for long enough, and has the
// round come back when it will have been.
func (r *round) stands(u *queues.Unmet) bool {
	u.Begin(r.now, r.a.cfg.PreemptAfter)
	if !u.Due(r.now) {
		r.a.look(u.Until())
		return false
	}
	return true
}

// cleared notes that slots are about to be free for a job. It goes by the log: what
// was decided but never written is decided again.
func (a *Actor) cleared(id string) {
	if j := a.jobs.of[a.state.Job(id)]; j != nil {
		j.unmet.Repeat(a.now)
		j.queue.Unmet.Repeat(a.now)
	}
}

// claimant is a work that is to have slots which others borrow.
type claimant struct {
	work     *work
	slots    int // tasks that are to begin
	deadline bool
	unmet    *queues.Unmet
}

// preempt ends attempts of borrowers for claims that stood unmet.
func (r *round) preempt(b *batch) {
	if r.a.cfg.Preempt != PreemptKill {
		return
	}
	if r.now < r.a.clearAt {
		r.a.look(r.a.clearAt)
		return
	}
	before := len(b.events)
	if r.awaitedAny() {
		r.clear(b)
	} else {
		r.a.contented()
	}
	if r.a.due.slots = len(b.events) > before; !r.a.due.slots {
		r.a.clearAt = r.now + tickEvery
	}
}

// clear makes room for all claims that stand.
func (r *round) clear(b *batch) {
	var yard *yard
	for _, c := range r.claimants() {
		if yard == nil {
			yard = r.newYard()
		}
		before := len(b.events)
		for range c.slots {
			if !yard.clear(b, &c) {
				break
			}
		}
		if len(b.events) == before { // no attempt can make way now, as when the primaries are busy
			c.unmet.Since = r.now
			r.a.look(c.unmet.Until())
		}
	}
}

// awaitedAny lines up what waits, if the round has not, and reports whether
// anything does.
func (r *round) awaitedAny() bool {
	if r.free == 0 {
		r.gather()
		if p, ok := r.a.policy.(preparer); ok {
			p.prepare(r)
		}
	}
	return len(r.lines) > 0
}

// contented notes that no task waits: a claim that comes later begins anew.
func (a *Actor) contented() {
	for _, j := range a.jobs.byDeadline {
		j.unmet = queues.Unmet{}
	}
	a.queues.ClearUnmet()
}

// why says, for people, for which claim an attempt ends.
func (c *claimant) why(now int64) string {
	waited := time.Duration(now - c.unmet.Since).Round(time.Second)
	if c.deadline {
		return fmt.Sprintf("job %s needs a slot for its deadline, and waited %v for it", c.work.job.life.ID, waited)
	}
	return fmt.Sprintf("queue %s holds fewer slots than its share, and job %s waited %v for one", c.work.job.queue.Name, c.work.job.life.ID, waited)
}
