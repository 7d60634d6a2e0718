package slotter

import (
	"math"

	"lull/subjects"
	"lull/subjects/tct"
)

// fillAssignment says where the work's task goes, and why, and takes what it needs from
// the host.
func (v *view) fillAssignment(e *subjects.Assigned, h *host, w *work, p pick) {
	j, l := w.job, w.group.line
	residual := residualAt(tct.Step(h.residual(l.cpu)))
	stays := v.likelyStays(h, stayOf(l.cpu, w.curve.Seconds(residual)))
	_, _, tries := w.life.Task(w.task)
	*e = subjects.Assigned{
		Host: h.life.Name, Job: j.life.ID,
		TaskID: subjects.TaskID{Stage: uint32(w.stage), Task: w.task},
		Term:   h.life.Term, Doc: j.life.Seq, Try: uint32(tries) + 1,
		Slot: h.plan(l), Width: l.cpu, Probe: v.probes(j.life, w.task, h.life),
		Why: subjects.Why{
			Rule: v.ruleOn(p.rule, h, w), Residual: residual, Norm: w.curve.Norm(residual),
			Expected: w.curve.Seconds(residual), Slack: j.slack(v.now),
			Risk: p.risk, Gain: p.gain, Stays: stays,
		},
	}
	v.hosts.mark(h) // its plan is to be discarded
}

// maxSlack bounds times that are written to the log, in seconds: 30 years. A job that
// hardly moves would have longer ones.
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
