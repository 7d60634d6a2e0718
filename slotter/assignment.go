package slotter

import (
	"lull/subjects"
	"lull/subjects/tct"
)

// fillAssignment says where the work's task goes, and why, and takes what it needs from
// the host.
func fillAssignment(v *view, e *subjects.Assigned, h *host, w *work, p pick) {
	j, l := w.job, w.group.line
	residual := residualAt(tct.Step(h.residual(l.cpu)))
	stays := v.likelyStays(h, stayOf(l.cpu, w.curve.Seconds(residual)))
	_, _, tries := w.life.Task(w.task)
	*e = subjects.Assigned{
		Host: h.life.Name, Job: j.life.ID,
		TaskID: subjects.TaskID{Stage: uint32(w.stage), Task: w.task},
		Term:   h.life.Term, Doc: j.life.Seq, Try: uint32(tries) + 1,
		Slot: h.plan(l), Width: l.cpu, Probe: probes(v.facts, j.life, w.task, h.life),
		Why: subjects.Why{
			Rule: ruleOn(p.rule, h, w), Residual: residual, Norm: w.curve.Norm(residual),
			Expected: w.curve.Seconds(residual), Slack: j.slack(v.now),
			Risk: p.risk, Gain: p.gain, Stays: stays,
		},
	}
	v.hosts.mark(h) // its plan is to be discarded
}
