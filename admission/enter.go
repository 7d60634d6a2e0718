package admission

import (
	"maps"

	"lull/subjects"
	"lull/subjects/ledger"
)

// enter keeps the book: which promises stand, and what became of them.
func (a *Actor) enter(e subjects.Event, c ledger.Change, at int64) {
	switch e := e.(type) {
	case *subjects.Admitted:
		a.book.admit(c.Job, e, at)
	case *subjects.JobFinished:
		a.book.keep(c.Job)
	case *subjects.JobFailed, *subjects.Cancelled, *subjects.Retried:
		delete(a.book.promises, subjects.JobOf(e))
	case *subjects.Finished:
		if c.Outcome == ledger.Committed {
			a.book.use(e.Job, e.Seconds)
		}
	case *subjects.Evicted:
		a.evicted(e)
	case *subjects.PoolPaused:
		a.book.Blows++
	case *subjects.Lost, *subjects.Left, *subjects.Paused, *subjects.Drained:
		a.blow(e)
	case *subjects.Led:
		if e.Actor == Name {
			a.led = at
			a.forgetUrgent()
		}
	}
}

// evicted counts an attempt that the primary cost, and excuses what an
// operator's pause cost.
func (a *Actor) evicted(e *subjects.Evicted) {
	switch e.Reason {
	case subjects.ReasonRevoked:
	case subjects.ReasonPaused:
		a.book.excuse(e.Job)
	default:
		a.book.use(e.Job, e.Seconds)
	}
}

func (a *Actor) blow(e subjects.Event) {
	name, lost := "", false
	switch e := e.(type) {
	case *subjects.Lost:
		name, lost = e.Host, true
	case *subjects.Left:
		name, lost = e.Host, true
	case *subjects.Paused:
		name = e.Host
	case *subjects.Drained:
		name = e.Host
	}
	a.book.blow(a.state, a.state.Host(name), lost)
}

// follow keeps the queue as the ledger's jobs are, and notes what the next
// look at the pool has to find.
func (a *Actor) follow(e subjects.Event) {
	switch e := e.(type) {
	case *subjects.Admitted, *subjects.Retried:
		a.line(a.state.Job(subjects.JobOf(e)))
	case *subjects.JobFinished, *subjects.JobFailed, *subjects.Cancelled:
		a.leave(a.state.Job(subjects.JobOf(e)))
	case *subjects.Fitted:
		a.curves.Forget(e.Type)
		a.refitted[e.Type] = true
	case *subjects.Joined:
		a.supply.at = 0
		if len(a.usage) > len(a.state.Hosts()) {
			maps.DeleteFunc(a.usage, func(host string, _ *window) bool { return a.state.Host(host) == nil })
		}
	case *subjects.Left, *subjects.Lost, *subjects.Paused, *subjects.Drained,
		*subjects.Resumed, *subjects.PoolPaused, *subjects.PoolResumed:
		a.supply.at = 0
	case *subjects.Assigned, *subjects.Finished, *subjects.Failed, *subjects.Evicted, *subjects.Declined,
		*subjects.Revoked, *subjects.OutputLost, *subjects.OutputMissing:
		a.touched[subjects.JobOf(e)] = true
	}
}

// line puts a live job into the queue.
func (a *Actor) line(j *ledger.Job) {
	a.queue.Insert(a.loadOf(j))
}

// loadOf is what a live job asks of the pool.
func (a *Actor) loadOf(j *ledger.Job) *load {
	l := a.newLoad(j.Shape, j)
	l.place(j)
	l.weigh(a.supply.blocking)
	l.since = a.conditions()
	return l
}

// load finds that of a job, nil if none is in the queue.
func (a *Actor) load(j *ledger.Job) *load {
	a.like.place(j)
	l, _ := a.queue.Find(&a.like)
	return l
}

// place gives the load its place in the queue.
func (l *load) place(j *ledger.Job) {
	if l.seq, l.deadline = j.Seq, j.Deadline; l.deadline == 0 {
		l.deadline = none
	}
}

func (a *Actor) leave(j *ledger.Job) {
	if j == nil {
		return
	}
	if l := a.load(j); l != nil {
		a.queue.Remove(l)
	}
}
