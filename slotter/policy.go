package slotter

import (
	"cmp"

	"lull/subjects"
)

// policy chooses which of the works in a line gets a slot.
type policy interface {
	// pick returns the line's best claim to a slot of the host with a residual in this step. It
	// returns a pick without a work if the line has no claim to it, and false when none of its
	// works has a task left. It is called again after each task that was given away. Within a round
	// works only run dry, data nodes only fill up and jobs only get on track.
	pick(v *view, l *line, h *host, step int) (pick, bool)
}

// preparer is a policy that looks at all that waits, and all slots, before a
// round's first slot.
type preparer interface{ prepare(v *view) }

// deadlinePolicy is a policy that serves deadlines at risk first, also out of their
// queues' turns. atRisk reports whether the work's job has such a deadline.
type deadlinePolicy interface {
	atRisk(v *view, w *work) bool
}

// pick is a line's claim to a slot. The smaller one of two claims wins: by
// rank, then key, then submission.
type pick struct {
	work *work
	rule string // the reason that users are shown
	rank int
	key  int64
	fits bool // the slot is large enough for it now
	// urgent says that its job's deadline is at risk: between queues, such a claim
	// may go out of turn.
	urgent bool
	// What mp+ weighed, which users are shown: see subjects.Why.
	risk, gain float64
}

// before reports whether the claim wins over another one.
func (p pick) before(q pick) bool {
	return cmp.Or(
		cmp.Compare(p.rank, q.rank),
		cmp.Compare(p.key, q.key),
		submittedFirst(p.work.job, q.work.job),
		cmp.Compare(p.work.stage, q.work.stage),
	) < 0
}

var policies = map[string]policy{PolicyFIFO: fifo{}, PolicyHarvest: fifo{}, PolicyEDF: edf{}, PolicyMP: mp{}, PolicyMPPlus: mpPlus{}}

// outOfTurn reports whether the claim is served out of its queue's turn.
func (p *pick) outOfTurn() bool { return p.urgent && p.work.job.queue.MayBorrow() }

// fifo gives every slot to the job that was submitted first.
type fifo struct{}

func (fifo) pick(_ *view, l *line, _ *host, _ int) (pick, bool) {
	w := head(l.works, &l.front)
	return pick{work: w, rule: subjects.RuleFIFO}, w != nil
}

// edf gives every slot to the job with the earliest deadline; jobs without one
// come last.
type edf struct{}

func (edf) pick(_ *view, l *line, _ *host, _ int) (pick, bool) {
	w := head(l.urgent, &l.urgentFront)
	if w == nil {
		return pick{}, false
	}
	return pick{work: w, rule: subjects.RuleEDF, key: w.job.due}, true
}
