package attempts

import (
	"lull/hostctl/actor"
	"lull/hostctl/pace"
	"lull/hostctl/pacing"
	"lull/hostctl/slots"
)

// Pace sets the rate at which an attempt reads, or lifts its cap.
func (a *Runner) Pace(p actor.Pace) {
	r := a.table.run(p.Attempt)
	switch {
	case r == nil || r.slot == nil:
	case p.Rate <= 0:
		a.cfg.Pacer.End(p.Attempt)
	default:
		a.cfg.Pacer.Set(&pacing.Task{
			ID: p.Attempt, Slot: r.slot.N, Most: max(float64(p.Width), 1), Kind: r.kind,
			Live:      func() bool { return r.hasProcess() && !r.slot.Holds.Except(slots.ByPace) },
			Meter:     pacing.MeterOf(r.slot, a.cfg.Root, p.Attempt, r.meter.Progress()),
			Reference: p.Rate, Priority: p.Priority,
		})
	}
}

// ReportLearnt reports what the pacer has learnt from an attempt about its kind.
func (a *Runner) ReportLearnt(t *pacing.Task, l *pace.Learnt) {
	r := a.table.run(t.ID)
	if r == nil {
		return
	}
	a.cfg.Report(actor.Identified{
		Task: r.Task, Model: r.model(), A: l.Model.A, B: l.Model.B, R2: l.Model.R2,
		Sample: pace.Sample.Seconds(), Samples: uint32(l.Model.Samples), Refused: l.Refused,
	})
	if l.Refused != "" {
		a.cfg.Logger.Info("how a task follows its CPU cap could not be identified", "kind", t.Model(), "because", l.Refused)
	}
}
