package assigning

import (
	"lull/slotter/facts"
	"lull/slotter/placing"
	"lull/slotter/policy"
	"lull/slotter/tenants"
	"lull/subjects"
	"lull/subjects/tct"
)

// fillAssignment says where the work's task goes, and why, and takes what it needs from
// the host.
func fillAssignment(v *policy.View, e *subjects.Assigned, h *facts.Host, w *facts.Work, p policy.Pick) {
	j, l := w.Job, w.Group.Line
	residual, curve := facts.ResidualAt(tct.Step(h.Residual(l.EmptySlotsNeeded(h)))), w.Curve
	if share, shares := l.SharedOn(h); shares {
		residual, curve = facts.ResidualAt(tct.Step(share)), curve.Whole()
	}
	stays := v.StayPercent(h, tenants.StayOf(l.Cpu, curve.Seconds(residual)))
	_, _, tries := w.Life.Task(w.Task)
	*e = subjects.Assigned{
		Host: h.Life.Name, Job: j.Life.ID,
		TaskID: subjects.TaskID{Stage: uint32(w.Stage), Task: w.Task},
		Term:   h.Life.Term, Doc: j.Life.DocSeq(), Try: uint32(tries) + 1,
		Slot: h.Plan(l), Width: l.Cpu, Part: l.Part, Probe: shouldProbe(v.Facts, j.Life, w.Task, h.Life),
		Why: subjects.Why{
			Rule: placing.Rule(p.Rule, h, w), Residual: residual, Norm: curve.Norm(residual),
			Expected: curve.Seconds(residual), Slack: j.Slack(v.Now),
			Risk: p.Risk, Gain: p.Gain, Stays: stays, Guessed: w.Guessed(),
		},
	}
	v.Hosts.Touch(h) // its plan is to be discarded
}
