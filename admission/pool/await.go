package pool

import (
	"lull/admission/span"
	"lull/subjects/spec"
)

// Begin is when the jobs that a load's job runs after are predicted to have ended, as a span from now. It is 0 if it
// waits for none, or if none of their ends is known.
func Begin(p *Pool, l *Load) span.Micros {
	last := p.Now
	for _, a := range l.awaits() {
		if before := p.Ledger.Job(a.Job); before != nil && !before.Phase.Ended() {
			last = max(last, before.Finish)
		}
	}
	return span.Since(p.Now, last)
}

// awaits lists the jobs that a load's job runs after. Those of a newcomer may have ended.
func (l *Load) awaits() []spec.AfterJob {
	switch {
	case l.Life != nil:
		return l.Life.Awaiting.Jobs()
	case l.Shape != nil:
		return l.Shape.AfterJobs
	}
	return nil
}

// awaits reports whether a newcomer waits for jobs that have not ended, so that no task of it can run first.
func (t *Trials) awaits(n Newcomer) bool {
	for _, a := range n.Spec.AfterJobs {
		if before := t.Ledger.Job(a.Job); before != nil && !before.Phase.Ended() {
			return true
		}
	}
	return false
}
