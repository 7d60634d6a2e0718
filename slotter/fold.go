package slotter

import (
	"lull/actors"
	"lull/subjects"
	"lull/subjects/ledger"
)

// fold applies an entry and marks what it may call for.
func (a *Actor) fold(entry *actors.Entry) {
	before := a.before(entry.Event)
	verdict := a.state.Apply(entry.Seq, entry.Time, entry.Event)
	if verdict.Outcome == ledger.Void {
		return
	}
	switch e := entry.Event.(type) {
	case *subjects.Started:
		return // changes nothing that is decided on
	case *subjects.Assigned:
		a.hosts.touch(e.Host)
	case *subjects.Finished:
		a.finished(entry.Seq, e, before)
	case *subjects.Failed:
		a.failed(e, before)
	case *subjects.Evicted:
		a.hosts.touch(e.Host)
	case *subjects.Declined:
		a.hosts.touch(e.Host)
	case *subjects.Revoked:
		a.hosts.touch(e.Host)
	default:
		a.foldRare(entry)
	}
	a.due.slots = true
}

// foldRare follows the lives of jobs and hosts.
func (a *Actor) foldRare(entry *actors.Entry) {
	switch e := entry.Event.(type) {
	case *subjects.Admitted:
		a.open(e.Job)
	case *subjects.Retried:
		a.open(e.Job)
		a.hosts.touchAll() // attempts of its earlier life may still run
		a.due = everything
	case *subjects.Cancelled:
		a.close(e.Job)
	case *subjects.JobFinished:
		a.close(e.Job)
	case *subjects.JobFailed:
		a.close(e.Job)
	case *subjects.Fitted:
		a.taught(entry.Seq, e)
	case *subjects.Joined:
		a.joined(a.state.Host(e.Host))
	case *subjects.Lost:
		a.hosts.touch(e.Host)
		a.forget() // what it kept will be elsewhere
		a.due = everything
	case *subjects.Led:
		if e.Actor == Name {
			a.led = entry.Time.UnixNano()
		}
	}
}

// attempt is what is remembered of an attempt whose end is about to be folded:
// the ledger forgets it then.
type attempt struct {
	life  *ledger.Attempt
	holds bool
}

func (a *Actor) before(e subjects.Event) attempt {
	var id uint64
	switch e := e.(type) {
	case *subjects.Finished:
		id = e.Attempt
	case *subjects.Failed:
		id = e.Attempt
	default:
		return attempt{}
	}
	life := a.state.Attempt(id)
	return attempt{life, life != nil && life.Holds()}
}

func (a *Actor) finished(seq uint64, e *subjects.Finished, before attempt) {
	a.hosts.touch(e.Host)
	j := before.life.Job
	a.pace(seq, before.life, &e.Run)
	a.teach(seq, before.life, &e.Run)
	a.due.unwanted = a.due.unwanted || !before.holds // another may hold the task
	a.due.endings = a.due.endings || j.Complete()
	a.due.outputs = a.due.outputs || before.life.Host.Lost
}

func (a *Actor) failed(e *subjects.Failed, before attempt) {
	a.hosts.touch(e.Host)
	j := before.life.Job
	if before.holds && j.Live() {
		a.faults[j.ID] = faultOf(e)
	}
	_, dead := j.Dead()
	a.due.endings = a.due.endings || dead
}
