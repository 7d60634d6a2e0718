package slotter

import (
	"fmt"
	"time"
)

// Preemption: what becomes of those who run beyond their share when somebody with
// a claim comes. A claim is a queue's to its share, or a job's to what its deadline
// needs, up to what its queue may borrow.
//
//	throttle  rates follow the claims within a second (see divide): who borrows is
//	          slowed to his share, and for a deadline to what he may not lend. He
//	          keeps his memory and his progress (Park and Humphrey, sections 1, 9)
//	kill      and where a slot is what is wanted, which no rate frees, attempts end
//	          that lose the least work, once the claim stood unmet for a while
//	none      what runs goes on as it began: see spare
//
// Whoever has a claim gives up nothing, so that two never take from each other: a
// queue gives slots only beyond its share, and is given them only below; a job with
// a deadline gives none that it needs for it.

// want is a claim to slots that is not met.
type want struct {
	since int64 // when it was first unmet, or slots were last cleared; 0: it is met
	wait  int64 // from then on until slots are cleared
}

// longestWait is how long a claim waits at most. It doubles with each time that
// clearing slots did not meet it: what keeps the job from them is something else.
const longestWait = int64(10 * time.Minute)

// stands reports whether the claim has been unmet for long enough, and has the
// round come back when it will have been.
func (r *round) stands(w *want) bool {
	if w.since == 0 {
		w.since, w.wait = r.now, int64(r.a.cfg.PreemptAfter)
	}
	if at := w.since + w.wait; r.now < at {
		r.a.look(at)
		return false
	}
	return true
}

// cleared notes that slots are about to be free for it.
func (r *round) cleared(w *want) {
	w.since, w.wait = r.now, min(max(2*w.wait, int64(time.Second)), longestWait)
	r.a.look(w.since + w.wait)
}

// claimant is a work that is to have slots which others borrow.
type claimant struct {
	work     *work
	slots    int // tasks that are to begin
	deadline bool
	want     *want
}

// preempt ends attempts of borrowers for those whose claims stood unmet.
func (r *round) preempt(b *batch) {
	if r.a.cfg.Preempt != PreemptKill {
		return
	}
	if r.now < r.a.clearAt {
		r.a.look(r.a.clearAt)
		return
	}
	r.a.clearAt = r.now + watchEvery
	if !r.awaitedAny() {
		r.contented()
		return
	}
	var yard *yard
	for _, c := range r.claimants() {
		if yard == nil {
			yard = r.newYard()
		}
		for range c.slots {
			if !yard.clear(b, &c) {
				break
			}
		}
		r.cleared(c.want)
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

// contented notes that nobody waits: a claim that comes later begins anew.
func (r *round) contented() {
	for _, j := range r.a.jobs.byDeadline {
		j.want = want{}
	}
	for _, q := range r.a.queues.byName {
		q.want = want{}
	}
}

// why says for people what an attempt ends for.
func (c *claimant) why(now int64) string {
	waited := time.Duration(now - c.want.since).Round(time.Second)
	if c.deadline {
		return fmt.Sprintf("job %s needs a slot for its deadline, and waited %v for it", c.work.job.life.ID, waited)
	}
	return fmt.Sprintf("queue %s holds fewer slots than its share, and job %s waited %v for one", c.work.job.queue.name, c.work.job.life.ID, waited)
}
