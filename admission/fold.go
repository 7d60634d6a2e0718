package admission

import (
	"slices"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/ledger"
)

// fold applies an entry and returns the replies to senders that it gives a verdict.
func (a *Actor) fold(entry *actors.Entry) []actors.Reply {
	before, born, inbox := a.phase(entry.Event), a.state.InboxBorn, a.state.Inbox
	verdict := a.state.Apply(entry.Seq, entry.Time, entry.Event)
	if a.state.InboxBorn != born && (born != 0 || a.state.Inbox < inbox) {
		a.abandon()
	}
	replies := a.foldJob(entry.Event, verdict, before)
	a.forget()
	if verdict.Outcome != ledger.Void {
		a.enter(entry.Event, verdict, a.state.Now())
		a.follow(entry.Event)
	}
	return replies
}

func (a *Actor) foldJob(e subjects.Event, v ledger.Verdict, before ledger.Phase) []actors.Reply {
	switch e := e.(type) {
	case *subjects.Submitted:
		return a.submitted(e, v)
	case *subjects.Admitted:
		if v.Outcome != ledger.Void {
			return a.judged(e.Job)
		}
	case *subjects.Rejected:
		return a.rejected(e, v)
	case *subjects.Cancelled:
		replies := a.requested(e.Job, e.Inbox, "cancelled", v, before)
		if v.Outcome != ledger.Void {
			replies = append(replies, a.hastened(e.Job)...)
		}
		return replies
	case *subjects.Retried:
		return a.requested(e.Job, e.Inbox, "retried", v, before)
	}
	return nil
}

// phase is where the job of a cancellation stood before it.
func (a *Actor) phase(e subjects.Event) ledger.Phase {
	if e, ok := e.(*subjects.Cancelled); ok {
		if j := a.state.Job(e.Job); j != nil {
			return j.Phase
		}
	}
	return ledger.Admitted
}

// submitted opens a job. One that is there already was submitted twice under
// one message id, as older versions wrote it: the sender gets the first one's
// verdict.
func (a *Actor) submitted(e *subjects.Submitted, v ledger.Verdict) []actors.Reply {
	if v.Outcome != ledger.Void {
		a.open.Insert(a.state.Job(e.Job))
		a.note(a.state.Job(e.Job))
		return nil
	}
	j := a.state.Job(e.Job)
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
func (a *Actor) judged(id string) []actors.Reply {
	j := a.state.Job(id)
	a.open.Remove(j)
	replies := reply(j.Inbox, verdictOf(j))
	for _, inbox := range a.waiting[id] {
		replies = append(replies, reply(inbox, verdictOf(j))...)
	}
	delete(a.waiting, id)
	return replies
}

func (a *Actor) rejected(e *subjects.Rejected, v ledger.Verdict) []actors.Reply {
	if v.Outcome != ledger.Void {
		a.note(a.state.Job(e.Job))
		return a.judged(e.Job)
	}
	return reply(e.Inbox, verdictOf(a.state.Job(e.Job)))
}

// requested answers a cancel or retry, and the submission that it forestalled.
func (a *Actor) requested(job string, inbox uint64, done string, v ledger.Verdict, before ledger.Phase) []actors.Reply {
	if v.Outcome == ledger.Void {
		return reply(inbox, subjects.Verdict{Job: job, Verdict: "refused", Text: v.Why})
	}
	replies := reply(inbox, subjects.Verdict{Job: job, Verdict: done})
	if before == ledger.Submitted {
		replies = append(replies, a.judged(job)...)
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
