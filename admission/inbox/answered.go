package inbox

import (
	"slices"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/ledger"
)

// Submitted opens a job. One that is there already was submitted twice under
// one message id, as older versions wrote it: the sender gets the first one's
// verdict.
func (in *Inbox) Submitted(e *subjects.Submitted, c ledger.Change) []actors.Reply {
	j := c.Job
	if c.Outcome != ledger.Void {
		in.Undecided.Insert(j)
		in.note(j)
		return nil
	}
	switch {
	case j == nil:
		return nil
	case digestOf(j.Spec()) != digestOf(&e.Spec):
		return reply(e.Inbox, duplicate(j.ID))
	case !j.Phase.Judged():
		in.Waiting[j.ID] = append(in.Waiting[j.ID], e.Inbox)
		return nil
	}
	return reply(e.Inbox, verdictOf(j))
}

// Tried returns the replies to all senders that wait for the job's verdict: it follows when some
// tasks have run.
func (in *Inbox) Tried(j *ledger.Job) []actors.Reply { return in.replies(j) }

// Judged returns the replies to all senders that wait for the job's verdict.
func (in *Inbox) Judged(j *ledger.Job) []actors.Reply {
	in.Undecided.Remove(j)
	replies := in.replies(j)
	delete(in.Waiting, j.ID)
	return replies
}

func (in *Inbox) replies(j *ledger.Job) []actors.Reply {
	replies := reply(j.Inbox, verdictOf(j))
	for _, inbox := range in.Waiting[j.ID] {
		replies = append(replies, reply(inbox, verdictOf(j))...)
	}
	return replies
}

// Rejected returns the replies to the senders of a job that was rejected.
func (in *Inbox) Rejected(e *subjects.Rejected, c ledger.Change) []actors.Reply {
	if c.Outcome != ledger.Void {
		in.note(c.Job)
		return in.Judged(c.Job)
	}
	return reply(e.Inbox, verdictOf(c.Job))
}

// Requested answers a cancel or retry with what was done, and the submission that it forestalled.
func (in *Inbox) Requested(inbox uint64, done subjects.Verdict, c ledger.Change) []actors.Reply {
	if c.Outcome == ledger.Void {
		return reply(inbox, subjects.Verdict{Job: done.Job, Verdict: subjects.VerdictRefused, Text: c.Why})
	}
	replies := reply(inbox, done)
	if !c.Before.Judged() {
		replies = append(replies, in.Judged(c.Job)...)
	}
	return replies
}

// Forget drops the messages that have their events.
func (in *Inbox) Forget() {
	done := 0
	for done < len(in.Pending) && in.Pending[done].Inbox <= in.Ledger.Inbox {
		in.PendingBytes -= in.Pending[done].Size
		done++
	}
	in.Pending = slices.Delete(in.Pending, 0, done)
}

// Abandon drops the messages of an inbox that was replaced: in the new inbox their sequences belong
// to other messages, which would count as dealt with.
func (in *Inbox) Abandon() {
	in.Pending, in.PendingBytes = nil, 0
	in.EarlyCancels.Forget()
	clear(in.Waiting)
}
