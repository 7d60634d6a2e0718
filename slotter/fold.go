package slotter

import (
	"lull/actors"
	"lull/subjects"
	"lull/subjects/ledger"
)

// fold applies an entry and marks what it may call for.
func (a *Actor) fold(entry *actors.Entry) {
	change := a.facts.state.Apply(entry.Seq, entry.Time, entry.Event)
	if change.Outcome == ledger.Void {
		a.revokeVoid(entry)
		return
	}
	if _, started := entry.Event.(*subjects.Started); started {
		if a.models.Patience() > 0 {
			a.tracker.began(change.Attempt)
		}
		a.steerer.started(change.Job, a.facts.state.Now())
		return // it changes nothing else that decisions look at
	}
	if change.Beside != nil {
		a.facts.hosts.touch(change.Beside.Host.Name)
		a.facts.due.unwanted = true
	}
	switch e := entry.Event.(type) {
	case *subjects.Assigned:
		a.facts.hosts.touch(e.Host)
		a.backlog.markServed(change.Job)
		a.placing.noteGiven()
		a.pacer.Moved(change.Job.Stages[e.Stage])
	case *subjects.Finished:
		a.finished(entry.Seq, e, change)
	case *subjects.Failed:
		a.facts.hosts.touch(e.Host)
		a.endings.failed(e, change)
	case *subjects.Evicted:
		a.facts.hosts.touch(e.Host)
		a.facts.hosts.noteBroken(e.Host, e.Reason)
	case *subjects.Declined:
		a.endings.declined(e, change.Attempt.Job)
		a.facts.hosts.touch(e.Host)
		a.facts.hosts.noteBroken(e.Host, e.Reason)
	case *subjects.Revoked:
		a.facts.hosts.touch(e.Host)
		if e.For != "" {
			a.preemption.noteRevoked(e.For)
		}
	default:
		a.foldLifecycle(entry, change)
	}
	a.facts.due.slots = true
	a.pacer.Changed()
}

// revokeVoid has an assignment of the slotter's own that the log made void taken back. Its
// host does not read the pool's pauses, and would run it.
func (a *Actor) revokeVoid(entry *actors.Entry) {
	e, ok := entry.Event.(*subjects.Assigned)
	if !ok {
		return
	}
	if h := a.facts.hosts.of[e.Host]; h != nil {
		a.reconciler.revokeNext(h, entry.Seq)
	}
}

// foldLifecycle follows what happens to jobs and hosts as a whole.
func (a *Actor) foldLifecycle(entry *actors.Entry, c ledger.Change) {
	switch e := entry.Event.(type) {
	case *subjects.Trying:
		a.backlog.open(c.Job)
	case *subjects.Admitted:
		if c.Before != ledger.Trying {
			a.backlog.open(c.Job)
		} else if j := a.facts.jobs.of[c.Job]; j != nil { // all of its tasks may run now
			a.facts.jobs.yield(j, a.facts.now)
		}
	case *subjects.Rejected:
		if c.Before == ledger.Trying {
			a.close(e.Job)
		}
	case *subjects.Retried:
		a.backlog.open(c.Job)
		a.facts.hosts.touchAll() // attempts of its earlier life may still run
		a.facts.due = everything
	case *subjects.Placed:
		a.placing.noteHeard()
	case *subjects.PoolClassified:
		a.steerer.sortHosts()
	case *subjects.Cancelled, *subjects.JobFinished, *subjects.JobFailed:
		a.close(subjects.JobOf(e))
	case *subjects.StageFailed:
		a.endings.stageFailed(a.facts.state.Job(e.Job))
	case *subjects.OutputMissing:
		a.missed(e, a.facts.state.Job(e.Job))
	case *subjects.Fitted:
		a.models.Adopt(entry.Seq, e)
		a.backlog.refit(e.Type)
	case *subjects.Joined:
		a.joined(a.facts.state.Host(e.Host))
		a.backlog.recount(e.Host)
	case *subjects.Drained:
		a.facts.hosts.touchAll()
		if e.Forget {
			a.facts.forgetReadings()
			a.facts.due = everything
		}
	case *subjects.Paused, *subjects.Resumed:
		a.facts.hosts.touchAll() // the pool can run something else now
	case *subjects.Shared:
		a.facts.queues.Reweigh(a.facts.state)
		a.backlog.regroup()
		a.pacer.Urge()
	case *subjects.Paced:
		a.facts.hosts.touch(e.Host) // its tasks are slower now, or faster
		a.pacer.Held()
	case *subjects.Left:
		a.backlog.recount(e.Host)
	case *subjects.Lost:
		a.backlog.recount(e.Host)
		a.facts.hosts.touchAll() // rivals elsewhere may hold its tasks now
		a.facts.forgetReadings() // what it kept will be elsewhere
		a.facts.due = everything
	case *subjects.Led:
		a.noteLead(e)
	}
}

// finished frees the attempt's slot, and learns from how it ran.
func (a *Actor) finished(seq uint64, e *subjects.Finished, c ledger.Change) {
	a.facts.hosts.touch(e.Host)
	j := c.Attempt.Job
	a.steerer.started(j, a.facts.state.Now()-int64(e.Seconds*1e9))
	a.pacer.Moved(j.Stages[c.Attempt.Task.Stage])
	if !c.Attempt.Paced {
		a.tracker.learnCapacity(seq, c.Attempt, &e.Run)
	}
	a.models.Teach(a.facts.state, seq, c.Attempt, e)
	a.facts.due.unwanted = a.facts.due.unwanted || !c.Held // another may hold the task
	a.endings.finished(c.Attempt)
}

// missed notes that a task runs again, or is dead, because its output vanished.
func (a *Actor) missed(e *subjects.OutputMissing, j *ledger.Job) {
	a.endings.missed(e, j)
	a.facts.dataNodes.OutputsMoved(j, e.Stage) // what it kept will be elsewhere
	a.pacer.Moved(j.Stages[e.Stage])
}

// close stops scheduling a job that has ended.
func (a *Actor) close(id string) {
	a.endings.forget(id)
	delete(a.facts.absent, id)
	a.facts.due.unwanted = true
	life := a.facts.state.Job(id)
	a.steerer.ended(id, life)
	if life == nil || life.Admitted == 0 {
		return // it never waited for slots
	}
	if a.backlog.close(life) {
		a.pacer.Urge()
	}
}
