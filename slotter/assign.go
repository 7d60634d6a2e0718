package slotter

import (
	"math"

	"lull/subjects"
	"lull/subjects/tct"
)

// assign gives free slots away. It plans on the hosts' and jobs' copies of
// what is free and what runs; settling discards the plan.
func (a *Actor) assign(b *batch) {
	if a.state.Paused || a.liveness.suspects() {
		return
	}
	a.heed()
	if b.room() == 0 || !a.due.slots && !a.waited() {
		return
	}
	a.tracker.settle()
	a.lookAt = 0
	r := a.newRound()
	r.census()
	r.admit()
	r.weighTurns()
	if r.free > 0 {
		r.gather()
	}
	before := len(b.events)
	r.run(b)
	a.due.slots = len(b.events) > before
	if a.due.slots {
		return
	}
	r.preempt(b)
	if r.free > 0 {
		r.rival(b)
	}
}

// waited reports whether a time has come at which free slots may be given away
// although nothing happened.
func (a *Actor) waited() bool {
	return a.backoff != 0 && a.backoff <= a.now || a.lookAt != 0 && a.lookAt <= a.now
}

// round is one round of assignments.
type round struct {
	a       *Actor
	now     int64
	free    int
	open    []*host    // with a place worth giving away, by name
	slots   *slotQueue // those with a free slot
	ahead   *slotQueue // those where a task may wait for one
	lines   []*line    // with a task left
	nets    bool       // slots count for what they are worth net of strain
	pressed int64      // the last deadline until which too much is asked of the pool
	enough  float64    // see holds
	kept    bool       // a host is kept free for a task that needs more of it
	taken   int        // places looked at
	contest bool       // tasks of several queues wait
	slab    []subjects.Assigned
	lagging []straggler
	spare   []*host // for rivals
}

// newRound returns a round in the room of the last one: there are several a
// second, and most find nothing to give away.
func (a *Actor) newRound() *round {
	r := &a.round
	if r.a == nil {
		r.slots, r.ahead = new(slotQueue), new(slotQueue)
	}
	r.slots.reset()
	r.ahead.reset()
	*r = round{
		a: a, now: a.now, nets: a.cfg.Policy == PolicyMPPlus, open: r.open[:0], slots: r.slots, ahead: r.ahead,
		lines: r.lines[:0], slab: r.slab, lagging: r.lagging[:0], spare: r.spare[:0],
	}
	return r
}

// census finds the hosts with a place worth giving away.
func (r *round) census() {
	for _, h := range r.a.hosts.byName {
		if (h.busy < h.slots || r.mayRefill(h)) && r.a.eligible(h) {
			r.free += len(h.taken) - h.busy
			r.open = append(r.open, h)
		}
	}
}

// queue lines those hosts up.
func (r *round) queue() {
	for _, h := range r.open {
		if h.busy < h.slots {
			r.put(h)
		} else {
			r.ahead.put(h, h.residual(1))
		}
	}
}

// put lines up a host by its next place, if it has one to give.
func (r *round) put(h *host) {
	switch {
	case h.busy < h.slots && r.nets:
		r.slots.put(h, h.net())
	case h.busy < h.slots:
		r.slots.put(h, h.residual(1))
	case r.mayWait(h):
		r.ahead.put(h, h.residual(1))
	}
}

// take returns the host of the best free slot or, when there is none, of the
// best place ahead.
func (r *round) take() *host {
	r.taken++
	if h := r.slots.take(); h != nil {
		return h
	}
	return r.ahead.take()
}

// run gives places away until none is left, or no task, or no room.
func (r *round) run(b *batch) {
	if len(r.lines) == 0 {
		return
	}
	if p, ok := r.a.policy.(preparer); ok {
		p.prepare(r)
	}
	r.queue()
	for len(r.lines) > 0 && b.room() > 0 {
		h := r.take()
		if h == nil {
			return
		}
		p, ok := r.choose(h)
		if !ok {
			continue // nothing fits here, and only less will later in the round
		}
		b.add(r.give(h, p))
		r.put(h)
	}
}

// choose asks the policy for each line that the host can run, and takes the
// best claim. When that is the claim of a task which needs more of the host
// than is free, the host is kept for it: a task of many cores or much memory
// would starve, if small ones took every slot that frees. One host is kept at
// a time, so that the pool does not stand still for it.
//
// Where every slot is taken, the host gets nothing either if the best claim is
// that of a task which is not brief: it goes to a slot as that becomes free.
func (r *round) choose(h *host) (best pick, ok bool) {
	for i := 0; i < len(r.lines); i++ {
		l := r.lines[i]
		fits := h.fits(l)
		if !fits && (r.kept || !h.couldFit(l)) {
			continue
		}
		p, more := r.a.policy.pick(r, l, h, r.step(h, l))
		if !more {
			r.lines = append(r.lines[:i], r.lines[i+1:]...)
			i--
		}
		if p.work == nil {
			continue
		}
		if p.fits = fits; !ok || r.prefers(p, best) {
			best, ok = p, true
		}
	}
	if ok && !best.fits {
		r.kept = true
	}
	return best, ok && best.fits && (h.free() > 0 || brief(best.work.curve, h.residual(1)))
}

// give plans the claim's next task on the host.
func (r *round) give(h *host, p pick) *subjects.Assigned {
	w, l := p.work, p.work.group.line
	residual := residualAt(tct.Step(h.residual(l.cpu)))
	j := w.job
	if h.free() > 0 { // else it waits, and completes nothing meanwhile
		j.planned += rateOf(w.curve, residual)
		r.planReads(w, residual)
	}
	h.brief = h.brief && brief(w.curve, residual)
	e := r.event()
	r.fill(e, h, w, p)
	j.queue.Held += int(l.cpu)
	w.tries(residual)
	w.advance(r.now)
	return e
}

// events is how many assignments are made room for at once: a batch of them
// is one allocation, a single one keeps little beside it in memory.
const events = 32

// event makes room for one more.
func (r *round) event() *subjects.Assigned {
	if len(r.slab) == 0 {
		r.slab = make([]subjects.Assigned, events)
	}
	e := &r.slab[0]
	r.slab = r.slab[1:]
	return e
}

// fill says where the work's task goes, and why, and takes what it needs from
// the host.
func (r *round) fill(e *subjects.Assigned, h *host, w *work, p pick) {
	j, l := w.job, w.group.line
	residual := residualAt(tct.Step(h.residual(l.cpu)))
	_, _, tries := w.life.Task(w.task)
	*e = subjects.Assigned{
		Host: h.life.Name, Job: j.life.ID,
		TaskID: subjects.TaskID{Stage: uint32(w.stage), Task: w.task},
		Term:   h.life.Term, Doc: j.life.Seq, Try: uint32(tries) + 1,
		Slot: h.plan(l), Width: l.cpu,
		Why: subjects.Why{
			Rule: p.rule, Residual: residual, Norm: w.curve.Norm(residual),
			Expected: w.curve.Seconds(residual), Slack: j.slack(r.now),
			Risk: p.risk, Gain: p.gain,
		},
	}
	r.a.hosts.mark(h) // its plan is to be discarded
}

// maxSlack bounds what is said of a job that hardly moves: 30 years.
const maxSlack = 1e9

// slack is the seconds between the job's deadline and its end at the rate of
// the slots it has; 0 for a job without deadline.
func (j *job) slack(now int64) float64 {
	rate := float64(j.rate + j.planned)
	if j.due == never || rate <= 0 {
		return 0
	}
	left := float64(j.due-now)/1e9 - j.later
	slack := max(left-float64(j.remaining)*rateUnit/rate, -maxSlack)
	return math.Round(slack*1e3)/1e3 + 0 // no -0
}
