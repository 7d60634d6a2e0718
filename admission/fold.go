package admission

import (
	"lull/actors"
	"lull/subjects"
	"lull/subjects/ledger"
)

// fold applies an entry and returns the replies to senders that it gives a verdict.
func (a *Actor) fold(entry *actors.Entry) []actors.Reply {
	change := a.facts.Ledger.Apply(entry.Seq, entry.Time, entry.Event)
	if change.Reborn {
		a.inbox.Abandon()
	}
	replies := a.foldJob(entry.Event, change)
	a.inbox.Forget()
	if change.Outcome != ledger.Void {
		a.facts.Book.Enter(a.facts.Ledger, entry.Event, change)
		a.pool.Follow(entry.Event, change)
		a.pool.FollowPlaces(entry.Event, change)
	}
	if led, ok := entry.Event.(*subjects.Led); ok && led.Actor == Name && change.Outcome != ledger.Void {
		a.facts.Led = a.facts.Ledger.Now()
		a.inbox.EarlyCancels.Forget()
	}
	return replies
}

func (a *Actor) foldJob(e subjects.Event, c ledger.Change) []actors.Reply {
	switch e := e.(type) {
	case *subjects.Submitted:
		return a.inbox.Submitted(e, c)
	case *subjects.Trying:
		if c.Outcome != ledger.Void {
			return a.inbox.Tried(c.Job)
		}
	case *subjects.Admitted:
		if c.Outcome != ledger.Void {
			return a.inbox.Judged(c.Job)
		}
	case *subjects.Rejected:
		return a.inbox.Rejected(e, c)
	case *subjects.Cancelled:
		replies := a.inbox.Requested(e.Inbox, subjects.Verdict{Job: e.Job, Verdict: subjects.VerdictCancelled}, c)
		if c.Outcome != ledger.Void {
			replies = append(replies, a.inbox.EarlyCancels.Answer(e.Job)...)
		}
		return replies
	case *subjects.TasksCancelled:
		return a.inbox.Requested(e.Inbox, subjects.Verdict{Job: e.Job, Verdict: subjects.VerdictCancelled}, c)
	case *subjects.Retried:
		v := subjects.Verdict{Job: e.Job, Verdict: subjects.VerdictRetried}
		if e.Late {
			v.Text = lateAgain
		}
		return a.inbox.Requested(e.Inbox, v, c)
	case *subjects.JobFinished, *subjects.JobFailed:
		if c.Outcome != ledger.Void && c.Before == ledger.Trying {
			return a.inbox.Judged(c.Job)
		}
	}
	return nil
}
