package hostctl

import (
	"math"

	"lull/hostctl/actor"
	"lull/hostctl/pace"
	"lull/hostctl/pacing"
)

func (a *Agent) openPace() {
	act := pacing.NewActuator(a.caps, a.slotCaps, a.allSlots)
	a.pacer = pacing.New(act, float64(a.cores()), a.cfg.Logger)
	a.pacer.Idle, a.pacer.Learnt = a.idleCores, a.reportLearnt
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
	if p.Rate <= 0 {
		a.pacer.End(p.Attempt)
		return
	}
	if t := a.attempts.PacedTask(p); t != nil {
		a.pacer.Set(t)
	}
}

// capOf returns the cores that a slot's tasks may use, and whether that is fewer than all.
func (a *Agent) capOf(slot int) (cores float64, capped bool) {
	cores = a.slotCaps.InForce(slot)
	return cores, cores < float64(a.cores())
}

// reportLearnt reports what an attempt has shown of its kind.
func (a *Agent) reportLearnt(t *pacing.Task, l *pace.Learnt) {
	task, model, ok := a.attempts.Kind(t.ID)
	if !ok {
		return
	}
	a.report(actor.Identified{
		Task: task, Model: model, A: l.Model.A, B: l.Model.B, R2: l.Model.R2,
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
