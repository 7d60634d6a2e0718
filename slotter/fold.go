package slotter

import (
	"lull/actors"
	"lull/slotter/facts"
	"lull/subjects"
	"lull/subjects/ledger"
)

// fold applies an entry of the log to the ledger, and marks which decisions it may call for.
func (a *Actor) fold(entry *actors.Entry) {
	change := a.facts.Ledger.Apply(entry.Seq, entry.Time, entry.Event)
	if change.Outcome == ledger.Void {
		a.revokeVoid(entry)
		return
	}
	if _, started := entry.Event.(*subjects.Started); started {
		if a.models.Patience() > 0 {
			a.tracker.NoteStarted(change.Attempt)
		}
		a.steerer.Started(change.Job, a.facts.Ledger.Now())
		return // it changes nothing else that decisions look at
	}
	if change.Beside != nil {
		a.facts.Hosts.TouchNamed(change.Beside.Host.Name)
		a.facts.Due.Unwanted = true
	}
	switch e := entry.Event.(type) {
	case *subjects.Assigned:
		a.facts.Hosts.TouchNamed(e.Host)
		a.backlog.MarkServed(change.Job)
		a.pacer.NoteTasks(change.Job.Stages[e.Stage])
	case *subjects.Finished:
		a.foldFinished(entry.Seq, e, change)
	case *subjects.Failed:
		a.facts.Hosts.TouchNamed(e.Host)
		a.endings.NoteFailed(e, change)
	case *subjects.Evicted:
		a.facts.Hosts.TouchNamed(e.Host)
		a.facts.Hosts.NoteBroken(e.Host, e.Reason)
	case *subjects.Declined:
		a.endings.NoteDeclined(e, change.Attempt.Job)
		a.facts.Hosts.TouchNamed(e.Host)
		a.facts.Hosts.NoteBroken(e.Host, e.Reason)
	case *subjects.Revoked:
		a.facts.Hosts.TouchNamed(e.Host)
		if e.For != "" {
			a.preemption.NoteRevoked(e.For)
		}
	case *subjects.TasksCancelled:
		foldTasksCancelled(a, e, change.Job)
	default:
		a.foldLifecycle(entry, change)
		for _, j := range change.Released {
			a.backlog.Open(j)
		}
	}
	a.facts.Due.Slots = true
	a.pacer.NoteChange()
}

// revokeVoid revokes an assignment that had no effect in the ledger, for example because the pool was
// paused before it. The host does not follow the pool's pauses, and would run the task.
func (a *Actor) revokeVoid(entry *actors.Entry) {
	e, ok := entry.Event.(*subjects.Assigned)
	if !ok {
		return
	}
	if h := a.facts.Hosts.Of[e.Host]; h != nil {
		a.reconciler.RevokeNext(h, entry.Seq)
	}
}

// foldLifecycle applies the events of whole jobs, hosts and queues.
func (a *Actor) foldLifecycle(entry *actors.Entry, c ledger.Change) {
	switch e := entry.Event.(type) {
	case *subjects.Trying:
		a.backlog.Open(c.Job)
	case *subjects.Admitted:
		if c.Before != ledger.Trying {
			a.backlog.Open(c.Job)
		} else if j := a.facts.Jobs.Of[c.Job]; j != nil { // after its trial all of its tasks may run
			a.facts.Jobs.DropPassedDeadline(j, a.facts.Now)
		}
	case *subjects.Rejected:
		if c.Before == ledger.Trying {
			a.close(e.Job)
		}
	case *subjects.Retried:
		a.backlog.Open(c.Job)
		a.facts.Hosts.TouchAll() // attempts of its earlier life may still run
		a.facts.Due = facts.Everything
	case *subjects.PoolClassified, *subjects.Owned:
		a.steerer.SortHosts()
	case *subjects.Cancelled, *subjects.JobFinished, *subjects.JobFailed:
		a.close(subjects.JobOf(e))
	case *subjects.StageFailed:
		a.endings.NoteStageFailed(a.facts.Ledger.Job(e.Job))
	case *subjects.OutputMissing:
		a.foldMissing(e, a.facts.Ledger.Job(e.Job))
	case *subjects.Fitted:
		a.models.Adopt(entry.Seq, e)
		a.backlog.Refit(e.Type)
	case *subjects.Joined:
		a.joined(a.facts.Ledger.Host(e.Host))
		a.backlog.Recount(e.Host)
	case *subjects.Drained:
		a.facts.Hosts.TouchAll()
		if e.Forget {
			a.facts.ForgetReadings()
			a.facts.Due = facts.Everything
		}
	case *subjects.Paused, *subjects.Resumed:
		a.facts.Hosts.TouchAll() // the pool can run something else now
	case *subjects.Shared:
		a.facts.Queues.Reweigh(a.facts.Ledger)
		a.backlog.Regroup()
		a.pacer.DivideSoon()
	case *subjects.Paced:
		a.facts.Hosts.TouchNamed(e.Host) // its tasks are slower now, or faster
		a.pacer.NoteHeld()
	case *subjects.Left:
		a.backlog.Recount(e.Host)
	case *subjects.Lost:
		a.backlog.Recount(e.Host)
		a.facts.Hosts.TouchAll() // rivals on other hosts may hold the lost host's tasks now
		a.facts.ForgetReadings() // the outputs that it kept will be made again on other hosts
		a.facts.Due = facts.Everything
	case *subjects.Led:
		a.noteLead(e)
	default:
		a.placing.Fold(e)
	}
}

// foldFinished frees the attempt's slot, and updates the models with its run.
func (a *Actor) foldFinished(seq uint64, e *subjects.Finished, c ledger.Change) {
	a.facts.Hosts.TouchNamed(e.Host)
	j := c.Attempt.Job
	a.steerer.Started(j, a.facts.Ledger.Now()-int64(e.Seconds*1e9))
	a.pacer.NoteTasks(j.Stages[c.Attempt.Task.Stage])
	if !c.Attempt.Paced {
		a.tracker.LearnCapacity(seq, c.Attempt, &e.Run)
	}
	a.models.Teach(a.facts.Ledger, seq, c.Attempt, e)
	a.facts.Due.Unwanted = a.facts.Due.Unwanted || !c.Held // the attempt that holds the task may be unwanted now
	a.endings.NoteFinished(c.Attempt)
}

// foldMissing notes that the output of a finished task vanished: the task runs again, or is dead if it
// has no retries left.
func (a *Actor) foldMissing(e *subjects.OutputMissing, j *ledger.Job) {
	a.endings.NoteMissing(e, j)
	a.facts.DataNodes.OutputsMoved(j, e.Stage) // the task may run on another host next
	a.pacer.NoteTasks(j.Stages[e.Stage])
}

// foldTasksCancelled notes that tasks ended on a user's request: their attempts are unwanted, and stages that read them may
// be ready.
func foldTasksCancelled(a *Actor, e *subjects.TasksCancelled, j *ledger.Job) {
	a.facts.Due = facts.Everything
	a.facts.Hosts.TouchAll()
	for _, of := range e.Tasks {
		a.pacer.NoteTasks(j.Stages[of.Stage])
	}
}

// close stops scheduling a job that has ended, and drops what was kept about it.
func (a *Actor) close(id string) {
	a.endings.Forget(id)
	delete(a.facts.Absent, id)
	a.facts.Due.Unwanted = true
	life := a.facts.Ledger.Job(id)
	a.steerer.Ended(id, life)
	if life == nil || life.Admitted == 0 || life.Awaiting != nil {
		return // it never waited for slots
	}
	if a.backlog.Close(life) {
		a.pacer.DivideSoon()
	}
}
