// Package policy says which of the tasks that wait gets a slot: by fifo, edf, mp (MIMP's rules) or mp+ (lull's own). A
// policy sees a View of the round: the tasks, the slots, the deadlines at risk and what is better left empty.
package policy

import (
	"cmp"

	"lull/slotter/facts"
	"lull/subjects"
)

// policy chooses which of the works in a line gets a slot.
type policy interface {
	// pick returns the line's best claim to a slot of the host with a residual in this step. It
	// returns a pick without a work if the line has no claim to it, and false when none of its
	// works has a task left. It is called again after each task that was given away. Within a round
	// works only run dry, data nodes only fill up and jobs only get on track.
	pick(v *View, l *facts.Line, h *facts.Host, step int) (Pick, bool)
}

// preparer is a policy that looks at all that waits, and all slots, before a
// round's first slot.
type preparer interface{ prepare(v *View) }

// deadlinePolicy is a policy that serves deadlines at risk first, also out of their
// queues' turns. atRisk reports whether the work's job has such a deadline.
type deadlinePolicy interface {
	atRisk(v *View, w *facts.Work) bool
}

// Pick is a line's claim to a slot. The smaller one of two claims wins: by
// rank, then key, then submission.
type Pick struct {
	Work *facts.Work
	Rule string // the reason that users are shown
	rank int
	key  int64
	Fits bool // the slot is large enough for it now
	// urgent says that its job's deadline is at risk: between queues, such a claim
	// may go out of turn.
	urgent bool
	// What mp+ weighed, which users are shown: see subjects.Why.
	Risk, Gain float64
}

// Before reports whether the claim wins over another one.
func (p Pick) Before(q Pick) bool {
	return cmp.Or(
		cmp.Compare(p.rank, q.rank),
		cmp.Compare(p.key, q.key),
		facts.SubmittedFirst(p.Work.Job, q.Work.Job),
		cmp.Compare(p.Work.Stage, q.Work.Stage),
	) < 0
}

var policies = map[string]policy{facts.PolicyFIFO: fifo{}, facts.PolicyHarvest: fifo{}, facts.PolicyEDF: edf{}, facts.PolicyMP: mp{}, facts.PolicyMPPlus: mpPlus{}}

// OutOfTurn reports whether the claim is served out of its queue's turn.
func (p *Pick) OutOfTurn() bool { return p.urgent && p.Work.Job.Queue.MayBorrow() }

// fifo gives every slot to the job that was submitted first.
type fifo struct{}

func (fifo) pick(_ *View, l *facts.Line, _ *facts.Host, _ int) (Pick, bool) {
	w := facts.Head(l.Works, &l.Front)
	return Pick{Work: w, Rule: subjects.RuleFIFO}, w != nil
}

// edf gives every slot to the job with the earliest deadline; jobs without one
// come last.
type edf struct{}

func (edf) pick(_ *View, l *facts.Line, _ *facts.Host, _ int) (Pick, bool) {
	w := facts.Head(l.Urgent, &l.UrgentFront)
	if w == nil {
		return Pick{}, false
	}
	return Pick{Work: w, Rule: subjects.RuleEDF, key: w.Job.Due}, true
}
