package slotter

import (
	"cmp"
	"lull/subjects"
	"lull/subjects/tct"
)

// assigner gives free places to tasks, round by round. A round plans on the hosts' and
// jobs' copies of what is free and what runs; the tracker discards the plan.
type assigner struct {
	*view
	tracker    *tracker
	preemption *preemption
	rivals     *rivals
	kept       bool // a host is kept free for a task that needs more of it
	slab       []subjects.Assigned
}

// newAssigner returns the assigner of what policies see. Claims to slots that others borrow are p's.
func newAssigner(v *view, t *tracker, p *preemption) *assigner {
	return &assigner{view: v, tracker: t, preemption: p, rivals: &rivals{view: v}}
}

// decide gives free slots away.
func (a *assigner) decide(b *batch) {
	a.preemption.noteRound()
	if b.room() == 0 || !a.due.slots && !a.timeHasCome() {
		return
	}
	a.tracker.settle()
	a.lookAt = 0
	a.begin()
	a.findHosts()
	a.admit()
	a.weighTurns()
	if a.free > 0 {
		a.gather()
	}
	before := len(b.events)
	a.run(b)
	a.due.slots = len(b.events) > before
	if a.due.slots {
		return
	}
	a.preemption.decide(b)
	if a.free > 0 && !a.draws() { // rivals compare hosts
		a.rivals.decide(b)
	}
}

// begin forgets the last round.
func (a *assigner) begin() {
	a.view.begin()
	a.kept = false
}

// timeHasCome reports whether a time has come at which free slots may be given away
// although nothing happened.
func (a *assigner) timeHasCome() bool {
	return a.backoff != 0 && a.backoff <= a.now || a.lookAt != 0 && a.lookAt <= a.now
}

// run gives places away until none is left, or no task, or no room.
func (a *assigner) run(b *batch) {
	if len(a.ready) == 0 {
		return
	}
	a.prepare()
	a.lineUp(a.headStay())
	for len(a.ready) > 0 && b.room() > 0 {
		h := a.takeBest()
		if h == nil {
			return
		}
		p, ok := a.choose(h)
		if !ok {
			continue // nothing fits here, and only less will later in the round
		}
		b.add(a.planTask(h, p))
		a.put(h)
	}
}

// headStay is the stay of the tasks that wait longest: hosts come in the order that suits those.
func (a *assigner) headStay() stay {
	head := a.ready[0].works[0]
	for _, l := range a.ready[1:] {
		if submittedFirst(l.works[0].job, head.job) < 0 {
			head = l.works[0]
		}
	}
	return stayOf(head.group.line.cpu, a.usual(head.curve))
}

// choose asks the policy for each line that the host can run, and takes the best claim. If the
// claiming task needs more of the host than is free, the host is reserved for it. Otherwise a task
// of many cores or much memory would starve while small ones took every slot that frees. One host
// is reserved at a time, so that the pool does not stand still for it.
//
// If every slot is taken, a brief task may wait in a place ahead. The host gets nothing if the best
// claim is that of another task: that one goes to a slot once it is free.
func (a *assigner) choose(h *host) (best pick, ok bool) {
	for i := 0; i < len(a.ready); i++ {
		l := a.ready[i]
		fits := h.fits(l)
		if !fits && (a.kept || !h.couldFit(l)) {
			continue
		}
		p, more := a.pick(l, h)
		if !more {
			a.ready = append(a.ready[:i], a.ready[i+1:]...)
			i--
		}
		if p.work == nil {
			continue
		}
		if p.fits = fits; !ok || a.prefers(p, best) {
			best, ok = p, true
		}
	}
	if ok && !best.fits {
		a.kept = true
	}
	return best, ok && best.fits && (h.free() > 0 || brief(best.work.curve, h.residual(1)))
}

// planTask plans the claim's next task on the host.
func (a *assigner) planTask(h *host, p pick) *subjects.Assigned {
	w, l := p.work, p.work.group.line
	residual := residualAt(tct.Step(h.residual(l.cpu)))
	j := w.job
	if h.free() > 0 { // else it waits, and completes nothing meanwhile
		j.planned += rateOf(w.curve, residual)
		a.planReads(w, residual)
	}
	h.brief = h.brief && brief(w.curve, residual)
	e := a.event()
	fillAssignment(a.view, e, h, w, p)
	j.queue.Held += int(l.cpu)
	w.noteTried(residual)
	w.advance(a.now)
	return e
}

// events is how many assignments one allocation has room for.
const events = 32

// event makes room for one more.
func (a *assigner) event() *subjects.Assigned {
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
func (a *assigner) prefers(p, q pick) bool {
	mine, its := p.work.job.queue, q.work.job.queue
	if !a.contest || mine == its {
		return p.before(q)
	}
	urgent, other := p.outOfTurn(), q.outOfTurn()
	switch {
	case urgent != other:
		return urgent
	case urgent:
		return p.before(q)
	}
	return cmp.Or(cmp.Compare(mine.Turn(), its.Turn()), cmp.Compare(mine.Name, its.Name)) < 0
}
