// Package preemption makes way for claims: that of a queue to its share, and that of a job to what its deadline needs.
package preemption

import (
	"time"

	"lull/slotter/batch"
	"lull/slotter/facts"
	"lull/slotter/pacing"
	"lull/slotter/policy"
	"lull/slotter/queues"
)

// Preemption decides what becomes of tasks beyond their queue's share when a claim comes. A claim
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
type Preemption struct {
	*policy.View
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

// NoteRound notes that claims can be met now. After a lapse, because the pool stood still or
// another slotter led, they begin anew, and nothing is known of what queues had.
func (p *Preemption) NoteRound() {
	if p.ableAt != 0 && p.Now-p.ableAt > lapse {
		p.clearClaims()
		p.Queues.PauseAccounts()
	}
	p.ableAt = p.Now
}

// Decide ends attempts of borrowers for claims that stood unmet.
func (p *Preemption) Decide(b *batch.Batch) {
	if p.Config.Preempt != facts.PreemptKill {
		return
	}
	if p.Now < p.checkAt {
		p.DecideAt(p.checkAt)
		return
	}
	before := len(b.Events)
	if p.tasksWait() {
		p.meetClaims(b)
	} else {
		p.clearClaims()
	}
	if p.Due.Slots = len(b.Events) > before; !p.Due.Slots {
		p.checkAt = p.Now + checkEvery
	}
}

// meetClaims makes room for all claims that are due.
func (p *Preemption) meetClaims(b *batch.Batch) {
	var v *victims
	for _, c := range p.claimants() {
		if v == nil {
			v = newVictims(p.Facts)
		}
		before := len(b.Events)
		for range c.slots {
			if !v.evict(b, &c) {
				break
			}
		}
		if len(b.Events) == before { // no attempt can make way now, as when the primaries are busy
			c.unmet.Since = p.Now
			p.DecideAt(c.unmet.Until())
		}
	}
}

// tasksWait lines up what waits, if the round has not, and reports whether anything does.
func (p *Preemption) tasksWait() bool {
	if p.Free == 0 {
		p.Gather()
		p.Prepare()
	}
	return len(p.Ready) > 0
}

// clearClaims notes that no task waits: a claim that comes later begins anew.
func (p *Preemption) clearClaims() {
	for _, j := range p.Jobs.ByDeadline {
		j.Unmet = queues.Unmet{}
	}
	p.Queues.ClearUnmet()
}

// NoteRevoked notes that slots are about to be free for a job. It goes by the log: what
// was decided but never written is decided again.
func (p *Preemption) NoteRevoked(id string) {
	if j := p.Jobs.Of[p.Ledger.Job(id)]; j != nil {
		j.Unmet.Repeat(p.Now)
		j.Queue.Unmet.Repeat(p.Now)
	}
}

// ForgetTimes drops the times that preemption and pacing noted, after the time went back.
func (p *Preemption) ForgetTimes() {
	p.pacer.Times, p.ableAt = pacing.Times{}, 0
	p.clearClaims()
}

// New returns a preemption without claims.
func New(v *policy.View, p *pacing.Pacer) *Preemption { return &Preemption{View: v, pacer: p} }
