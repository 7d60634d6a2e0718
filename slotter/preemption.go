package slotter

import (
	"time"

	"lull/slotter/pacing"
	"lull/slotter/queues"
)

// preemption decides what becomes of tasks beyond their queue's share when a claim comes. A claim
// is that of a queue to its share, or of a job to what its deadline needs, up to what its queue may
// borrow.
//
//	throttle  rates follow the claims within a second (see package pacing): a borrower is
//	          slowed to its share, and for a deadline to the part that it keeps. Its
//	          tasks keep their memory and progress (Park and Humphrey, sections 1, 9)
//	kill      and where a claim is to a slot, which no rate frees, those attempts end
//	          that lose the least work, once the claim stood unmet for a while
//	none      what runs goes on as it began: see pacing.Config
//
// A queue or job with a claim gives up nothing, so that two never take from each other. A queue
// gives slots only beyond its share, and gets them only below it. A job gives none that it needs
// for its deadline.
type preemption struct {
	*view
	pacer   *pacing.Pacer
	checkAt int64 // next look at claims to slots, with PreemptKill
	ableAt  int64 // when claims could be met last
}

// checkEvery is how often claims to slots are looked at.
const checkEvery = int64(time.Second)

// lapse is the longest time without a decision over which claims go on waiting: a
// restart takes less. After a longer one it is not known whether they were met meanwhile.
// Then a claim that waits too long is better than work that is lost for nothing.
const lapse = int64(10 * time.Second)

// noteRound notes that claims can be met now. After a lapse, because the pool stood still or
// another slotter led, they begin anew, and nothing is known of what queues had.
func (p *preemption) noteRound() {
	if p.ableAt != 0 && p.now-p.ableAt > lapse {
		p.clearClaims()
		p.queues.Rest()
	}
	p.ableAt = p.now
}

// decide ends attempts of borrowers for claims that stood unmet.
func (p *preemption) decide(b *batch) {
	if p.cfg.Preempt != PreemptKill {
		return
	}
	if p.now < p.checkAt {
		p.decideAt(p.checkAt)
		return
	}
	before := len(b.events)
	if p.tasksWait() {
		p.meetClaims(b)
	} else {
		p.clearClaims()
	}
	if p.due.slots = len(b.events) > before; !p.due.slots {
		p.checkAt = p.now + checkEvery
	}
}

// meetClaims makes room for all claims that are due.
func (p *preemption) meetClaims(b *batch) {
	var v *victims
	for _, c := range p.claimants() {
		if v == nil {
			v = newVictims(p.facts)
		}
		before := len(b.events)
		for range c.slots {
			if !v.evict(b, &c) {
				break
			}
		}
		if len(b.events) == before { // no attempt can make way now, as when the primaries are busy
			c.unmet.Since = p.now
			p.decideAt(c.unmet.Until())
		}
	}
}

// tasksWait lines up what waits, if the round has not, and reports whether anything does.
func (p *preemption) tasksWait() bool {
	if p.free == 0 {
		p.gather()
		p.prepare()
	}
	return len(p.ready) > 0
}

// clearClaims notes that no task waits: a claim that comes later begins anew.
func (p *preemption) clearClaims() {
	for _, j := range p.jobs.byDeadline {
		j.unmet = queues.Unmet{}
	}
	p.queues.ClearUnmet()
}

// noteRevoked notes that slots are about to be free for a job. It goes by the log: what
// was decided but never written is decided again.
func (p *preemption) noteRevoked(id string) {
	if j := p.jobs.of[p.state.Job(id)]; j != nil {
		j.unmet.Repeat(p.now)
		j.queue.Unmet.Repeat(p.now)
	}
}

// forgetTimes drops the times that preemption and pacing noted, after the time went back.
func (p *preemption) forgetTimes() {
	p.pacer.Times, p.ableAt = pacing.Times{}, 0
	p.clearClaims()
}

// newPreemption returns a preemption without claims.
func newPreemption(v *view, p *pacing.Pacer) *preemption { return &preemption{view: v, pacer: p} }
