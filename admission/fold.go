package admission

import (
	"slices"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/ledger"
)

// fold applies an entry and returns the replies to senders that it gives a verdict.
func (a *Actor) fold(entry *actors.Entry) []actors.Reply {
	change := a.state.Apply(entry.Seq, entry.Time, entry.Event)
	if change.Reborn {
		a.abandon()
	}
	replies := a.foldJob(entry.Event, change)
	a.forget()
	if change.Outcome != ledger.Void {
		a.enter(entry.Event, change, a.state.Now())
		a.follow(entry.Event)
	}
	return replies
}

func (a *Actor) foldJob(e subjects.Event, c ledger.Change) []actors.Reply {
	switch e := e.(type) {
	case *subjects.Submitted:
		return a.submitted(e, c)
	case *subjects.Admitted:
		if c.Outcome != ledger.Void {
			return a.judged(c.Job)
		}
	case *subjects.Rejected:
		return a.rejected(e, c)
	case *subjects.Cancelled:
		replies := a.requested(e.Job, e.Inbox, subjects.VerdictCancelled, c)
		if c.Outcome != ledger.Void {
			replies = append(replies, a.hastened(e.Job)...)
		}
		return replies
	case *subjects.Retried:
		return a.requested(e.Job, e.Inbox, subjects.VerdictRetried, c)
	}
	return nil
}

// submitted opens a job. One that is there already was submitted twice under
// one message id, as older versions wrote it: the sender gets the first one's
// verdict.
func (a *Actor) submitted(e *subjects.Submitted, c ledger.Change) []actors.Reply {
	j := c.Job
	if c.Outcome != ledger.Void {
		a.open.Insert(j)
		a.note(j)
		return nil
	}
	switch {
	case j == nil:
		return nil
	case digestOf(j.Spec()) != digestOf(&e.Spec):
		return reply(e.Inbox, duplicate(j.ID))
	case j.Phase == ledger.Submitted:
		a.waiting[j.ID] = append(a.waiting[j.ID], e.Inbox)
		return nil
	}
	return reply(e.Inbox, verdictOf(j))
}

// judged returns the replies to all senders that wait for the job's verdict.
func (a *Actor) judged(j *ledger.Job) []actors.Reply {
	a.open.Remove(j)
	replies := reply(j.Inbox, verdictOf(j))
	for _, inbox := range a.waiting[j.ID] {
		replies = append(replies, reply(inbox, verdictOf(j))...)
	}
	delete(a.waiting, j.ID)
	return replies
}

func (a *Actor) rejected(e *subjects.Rejected, c ledger.Change) []actors.Reply {
	if c.Outcome != ledger.Void {
		a.note(c.Job)
		return a.judged(c.Job)
	}
	return reply(e.Inbox, verdictOf(c.Job))
}

// requested answers a cancel or retry, and the submission that it forestalled.
func (a *Actor) requested(job string, inbox uint64, done string, c ledger.Change) []actors.Reply {
	if c.Outcome == ledger.Void {
		return reply(inbox, subjects.Verdict{Job: job, Verdict: subjects.VerdictRefused, Text: c.Why})
	}
	replies := reply(inbox, subjects.Verdict{Job: job, Verdict: done})
	if c.Before == ledger.Submitted {
		replies = append(replies, a.judged(c.Job)...)
	}
	return replies
}

// forget drops the messages that have their events.
func (a *Actor) forget() {
	done := 0
	for done < len(a.pending) && a.pending[done].inbox <= a.state.Inbox {
		a.heavy -= a.pending[done].size
		done++
	}
	a.pending = slices.Delete(a.pending, 0, done)
}

// abandon drops the messages of an inbox that was replaced: in the new inbox their
// sequences belong to other messages, which would count as dealt with.
func (a *Actor) abandon() {
	a.pending, a.heavy = nil, 0
	a.forgetUrgent()
	clear(a.waiting)
}
