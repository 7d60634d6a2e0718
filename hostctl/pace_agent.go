package hostctl

import (
	"fmt"

	"lull/hostctl/actor"
	"lull/hostctl/pace"
	"lull/subjects"
)

func (a *Agent) openPace() {
	act := newActuator(a.caps, a.slotCaps, func() []*slot { return a.slots })
	a.pacer = newPacer(act, float64(a.cores()), a.cfg.Logger)
	a.pacer.idle, a.pacer.learnt = a.idleCores, a.taught
}

// idleCores are those that the primary leaves, as telemetry has it; 0 if it has
// said nothing yet.
func (a *Agent) idleCores() float64 {
	if u := a.usage.Load(); u != nil {
		return max(u.Idle, pace.Least)
	}
	return 0
}

// pace moves an attempt at a rate, or lets it run.
func (a *Agent) pace(p actor.Pace) {
	r := a.run(p.Attempt)
	if r == nil || r.slot == nil {
		return
	}
	if p.Rate <= 0 {
		a.pacer.end(p.Attempt)
		return
	}
	a.pacer.set(&paced{
		id: p.Attempt, slot: r.slot.n, most: max(float64(p.Width), 1), kind: r.kind,
		live:  func() bool { return r.processing() && !r.slot.heldBut(byPace) },
		meter: r.slot.meter(a.cfg.Root, p.Attempt, progressFile(r.folder)), reference: p.Rate, priority: p.Priority,
	})
}

// heldBut reports whether somebody else wants the slot frozen.
func (s *slot) heldBut(by holder) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mu.holds&^by != 0
}

// name notes what the attempt's kind is called: its model's name, once the job is
// known.
func (r *run) name(job *subjects.Submitted) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mu.kind = job.Spec.Model(int(r.Stage))
}

// kind is that name. Of an attempt that was adopted and whose job cannot be
// looked up, it is one of its own stage.
func (r *run) kind() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.mu.kind == "" {
		return fmt.Sprintf("%s/%d", r.Job, r.Stage)
	}
	return r.mu.kind
}

// taught tells the log what an attempt has shown.
func (a *Agent) taught(t *paced, l *pace.Learnt) {
	r := a.run(t.id)
	if r == nil {
		return
	}
	a.report(actor.Identified{
		Task: r.Task, A: l.Model.A, B: l.Model.B, R2: l.Model.R2,
		Sample: pace.Sample.Seconds(), Samples: uint32(l.Model.Samples), Refused: l.Refused,
	})
	if l.Refused != "" {
		a.cfg.Logger.Info("a task does not show how it follows its cap", "kind", t.model, "because", l.Refused)
	}
}
