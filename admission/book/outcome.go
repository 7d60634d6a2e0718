package book

import (
	"lull/subjects"
	"lull/subjects/ledger"
)

// Enter notes which promises stand, and what became of them.
func (b *Book) Enter(s *ledger.State, e subjects.Event, c ledger.Change) {
	switch e := e.(type) {
	case *subjects.Admitted:
		b.admit(c.Job, e, s.Now())
	case *subjects.JobFinished:
		b.compareFinished(s, c.Job)
	case *subjects.JobFailed, *subjects.Cancelled, *subjects.Retried:
		delete(b.Promises, subjects.JobOf(e))
	case *subjects.Finished:
		if c.Outcome == ledger.Committed {
			b.use(e.Job, e.Seconds)
		}
	case *subjects.Evicted:
		b.evicted(e)
	case *subjects.PoolPaused:
		b.LargeLosses++
	case *subjects.Lost:
		b.noteSlotsGone(s, s.Host(e.Host), true)
	case *subjects.Left:
		b.noteSlotsGone(s, s.Host(e.Host), true)
	case *subjects.Paused:
		b.noteSlotsGone(s, s.Host(e.Host), false)
	case *subjects.Drained:
		b.noteSlotsGone(s, s.Host(e.Host), false)
	}
}

// evicted counts an attempt that the primary ended, and excuses what an
// operator's pause cost.
func (b *Book) evicted(e *subjects.Evicted) {
	switch e.Reason {
	case subjects.ReasonRevoked:
	case subjects.ReasonPaused:
		b.excuse(e.Job)
	default:
		b.use(e.Job, e.Seconds)
	}
}
