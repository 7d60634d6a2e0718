package hostctl

import (
	"fmt"
	"math"

	"lull/hostctl/actor"
	"lull/hostctl/environ"
	"lull/hostctl/pace"
	"lull/hostctl/pacing"
	"lull/hostctl/slots"
	"lull/subjects"
)

func (a *Agent) openPace() {
	act := pacing.NewActuator(a.caps, a.slotCaps, a.allSlots)
	a.pacer = pacing.New(act, float64(a.cores()), a.cfg.Logger)
	a.pacer.Idle, a.pacer.Learnt = a.idleCores, a.taught
}

// idleCores are those that the primary leaves, as telemetry has it, and the guard;
// 0 if telemetry has said nothing yet.
func (a *Agent) idleCores() float64 {
	u := a.usage.Load()
	if u == nil {
		return 0
	}
	may, _, _ := a.Guarded()
	return max(min(u.Idle, may), pace.Least)
}

// pace moves an attempt at a rate, or lets it run.
func (a *Agent) pace(p actor.Pace) {
	r := a.run(p.Attempt)
	if r == nil || r.slot == nil {
		return
	}
	if p.Rate <= 0 {
		a.pacer.End(p.Attempt)
		return
	}
	a.pacer.Set(&pacing.Task{
		ID: p.Attempt, Slot: r.slot.N, Most: max(float64(p.Width), 1), Kind: r.kind,
		Live:  func() bool { return r.processing() && !r.slot.HeldBut(slots.ByPace) },
		Meter: pacing.MeterOf(r.slot, a.cfg.Root, p.Attempt, environ.ProgressFile(r.folder)), Reference: p.Rate, Priority: p.Priority,
	})
}

// name notes what the attempt's kind is called: its model's name, once the job is
// known.
func (r *run) name(job *subjects.Submitted) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mu.kind = job.Spec.Model(int(r.Stage))
}

// model is that name, "" if the job is not known.
func (r *run) model() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.mu.kind
}

// kind is that name too. Of an attempt that was adopted and whose job cannot be
// looked up, it is one of its own stage.
func (r *run) kind() string {
	if model := r.model(); model != "" {
		return model
	}
	return fmt.Sprintf("%s/%d", r.Job, r.Stage)
}

// taught tells the log what an attempt has shown.
func (a *Agent) taught(t *pacing.Task, l *pace.Learnt) {
	r := a.run(t.ID)
	if r == nil {
		return
	}
	a.report(actor.Identified{
		Task: r.Task, Model: r.model(), A: l.Model.A, B: l.Model.B, R2: l.Model.R2,
		Sample: pace.Sample.Seconds(), Samples: uint32(l.Model.Samples), Refused: l.Refused,
	})
	if l.Refused != "" {
		a.cfg.Logger.Info("a task does not show how it follows its cap", "kind", t.Model(), "because", l.Refused)
	}
}

// know takes over what an earlier process of this host learnt. One that sampled
// otherwise learnt another a.
func (a *Agent) know(k actor.Know) {
	if math.Abs(k.Sample-pace.Sample.Seconds()) < 1e-6 {
		a.pacer.Know(k.Model, pace.Model{A: k.A, B: k.B, R2: k.R2, Samples: int(k.Samples)})
	}
}
