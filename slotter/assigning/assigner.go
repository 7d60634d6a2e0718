// Package assigning gives free slots away, round by round: to the tasks that the policy picks, then to second attempts
// of stragglers.
package assigning

import (
	"cmp"

	"lull/slotter/batch"
	"lull/slotter/facts"
	"lull/slotter/policy"
	"lull/slotter/preemption"
	"lull/slotter/tenants"
	"lull/slotter/tracking"
	"lull/subjects"
	"lull/subjects/tct"
)

// Assigner gives free places to tasks, round by round. A round plans on the hosts' and
// jobs' copies of what is free and what runs; the tracker discards the plan.
type Assigner struct {
	*policy.View
	tracker    *tracking.Tracker
	preemption *preemption.Preemption
	rivals     *rivals
	kept       bool // a host is kept free for a task that needs more of it
	slab       []subjects.Assigned
}

// New returns an Assigner. p has the claims to slots that other queues borrow.
func New(v *policy.View, t *tracking.Tracker, p *preemption.Preemption) *Assigner {
	return &Assigner{View: v, tracker: t, preemption: p, rivals: &rivals{View: v}}
}

// Decide gives free slots away.
func (a *Assigner) Decide(b *batch.Batch) {
	a.preemption.NoteRound()
	if b.Room() == 0 || !a.Due.Slots && !a.isDue() {
		return
	}
	a.tracker.Settle()
	a.LookAt = 0
	a.Begin()
	a.kept = false
	a.FindHosts()
	a.CountRunning()
	a.Admit()
	a.WeighTurns()
	if a.Free > 0 {
		a.Gather()
	}
	before := len(b.Events)
	a.run(b)
	a.Due.Slots = len(b.Events) > before
	if a.Due.Slots {
		return
	}
	a.preemption.Decide(b)
	if a.Free > 0 && !a.Draws() { // rivals compare hosts
		a.rivals.decide(b)
	}
}

// isDue reports whether free slots may be given away although nothing happened: a task's backoff has
// ended, or the time of another look has come.
func (a *Assigner) isDue() bool {
	return a.Backoff != 0 && a.Backoff <= a.Now || a.LookAt != 0 && a.LookAt <= a.Now
}

// run gives places away until none is left, or no task, or no room.
func (a *Assigner) run(b *batch.Batch) {
	if len(a.Ready) == 0 {
		return
	}
	a.Prepare()
	a.LineUp(a.headStay())
	for len(a.Ready) > 0 && b.Room() > 0 {
		h := a.TakeBest()
		if h == nil {
			return
		}
		p, ok := a.choose(h)
		if !ok {
			continue // nothing fits here, and only less will later in the round
		}
		b.Add(a.planTask(h, p))
		a.Put(h)
	}
}

// headStay is the stay of the tasks that wait longest: hosts come in the order that suits those.
func (a *Assigner) headStay() tenants.Stay {
	head := a.Ready[0].Works[0]
	for _, l := range a.Ready[1:] {
		if facts.SubmittedFirst(l.Works[0].Job, head.Job) < 0 {
			head = l.Works[0]
		}
	}
	return tenants.StayOf(head.Group.Line.Cpu, a.Usual(head.Curve))
}

// choose asks the policy for each line that the host can run, and takes the best claim. If the
// claiming task needs more of the host than is free, the host is reserved for it. Otherwise a task
// of many cores or much memory would starve while small ones took every slot that frees. One host
// is reserved at a time, so that the pool does not stand still for it.
//
// If every slot is taken, a brief task may wait in a place ahead. The host gets nothing if the best
// claim belongs to another task: that task gets a slot once one is free.
func (a *Assigner) choose(h *facts.Host) (best policy.Pick, ok bool) {
	for i := 0; i < len(a.Ready); i++ {
		l := a.Ready[i]
		fits := (l.Part > 0 || h.Free() > 0 || a.MayWait(h)) && h.Fits(l)
		if !fits && (a.kept || !h.CouldFit(l)) {
			continue
		}
		p, more := a.Pick(l, h)
		if !more {
			a.Ready = append(a.Ready[:i], a.Ready[i+1:]...)
			i--
		}
		if p.Work == nil {
			continue
		}
		if p.Fits = fits; !ok || a.prefers(p, best) {
			best, ok = p, true
		}
	}
	if ok && !best.Fits {
		a.kept = true
	}
	return best, ok && best.Fits && (h.Free() > 0 || best.Work.Group.Line.Part > 0 || facts.Brief(best.Work.Curve, h.Residual(1)))
}

// planTask plans the claim's next task on the host.
func (a *Assigner) planTask(h *facts.Host, p policy.Pick) *subjects.Assigned {
	w, l := p.Work, p.Work.Group.Line
	more := l.EmptySlotsNeeded(h)
	residual := facts.ResidualAt(tct.Step(h.Residual(more)))
	j := w.Job
	if h.Free() > 0 || l.Part > 0 { // else it waits, and completes nothing meanwhile
		j.Planned += facts.RateOf(w.Curve, residual)
		a.PlanReads(w, residual)
	}
	h.Brief = h.Brief && facts.Brief(w.Curve, residual)
	e := a.event()
	fillAssignment(a.View, e, h, w, p)
	j.Queue.HeldSlots += int(more)
	w.NoteTried(residual)
	w.Advance(a.Now)
	facts.PlanRunning(j, w.Stage)
	return e
}

// events is how many assignments one allocation has room for.
const events = 32

// event makes room for one more.
func (a *Assigner) event() *subjects.Assigned {
	if len(a.slab) == 0 {
		a.slab = make([]subjects.Assigned, events)
	}
	e := &a.slab[0]
	a.slab = a.slab[1:]
	return e
}

// prefers reports whether one line's claim to a slot goes before another's.
// Within a queue the policy decides. Between queues a deadline at risk goes
// first, as far as its queue may borrow; then the queue that has the least of its share.
func (a *Assigner) prefers(p, q policy.Pick) bool {
	own, other := p.Work.Job.Queue, q.Work.Job.Queue
	if !a.Contest || own == other {
		return p.Before(q)
	}
	urgent, rival := p.OutOfTurn(), q.OutOfTurn()
	switch {
	case urgent != rival:
		return urgent
	case urgent:
		return p.Before(q)
	}
	return cmp.Or(cmp.Compare(own.Turn(), other.Turn()), cmp.Compare(own.Name, other.Name)) < 0
}
