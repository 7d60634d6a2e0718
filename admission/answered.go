package admission

import (
	"slices"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/ledger"
)

// submitted opens a job. One that is there already was submitted twice under
// one message id, as older versions wrote it: the sender gets the first one's
// verdict.
func (in *inbox) submitted(e *subjects.Submitted, c ledger.Change) []actors.Reply {
	j := c.Job
	if c.Outcome != ledger.Void {
		in.open.Insert(j)
		in.note(j)
		return nil
	}
	switch {
	case j == nil:
		return nil
	case digestOf(j.Spec()) != digestOf(&e.Spec):
		return reply(e.Inbox, duplicate(j.ID))
	case !j.Phase.Judged():
		in.waiting[j.ID] = append(in.waiting[j.ID], e.Inbox)
		return nil
	}
	return reply(e.Inbox, verdictOf(j))
}

// judged returns the replies to all senders that wait for the job's verdict.
func (in *inbox) judged(j *ledger.Job) []actors.Reply {
	in.open.Remove(j)
	replies := reply(j.Inbox, verdictOf(j))
	for _, inbox := range in.waiting[j.ID] {
		replies = append(replies, reply(inbox, verdictOf(j))...)
	}
	delete(in.waiting, j.ID)
	return replies
}

func (in *inbox) rejected(e *subjects.Rejected, c ledger.Change) []actors.Reply {
	if c.Outcome != ledger.Void {
		in.note(c.Job)
		return in.judged(c.Job)
	}
	return reply(e.Inbox, verdictOf(c.Job))
}

// requested answers a cancel or retry, and the submission that it forestalled.
func (in *inbox) requested(job string, inbox uint64, done string, c ledger.Change) []actors.Reply {
	if c.Outcome == ledger.Void {
		return reply(inbox, subjects.Verdict{Job: job, Verdict: subjects.VerdictRefused, Text: c.Why})
	}
	replies := reply(inbox, subjects.Verdict{Job: job, Verdict: done})
	if !c.Before.Judged() {
		replies = append(replies, in.judged(c.Job)...)
	}
	return replies
}

// forget drops the messages that have their events.
func (in *inbox) forget() {
	done := 0
	for done < len(in.pending) && in.pending[done].inbox <= in.Ledger.Inbox {
		in.heavy -= in.pending[done].size
		done++
	}
	in.pending = slices.Delete(in.pending, 0, done)
}

// abandon drops the messages of an inbox that was replaced: in the new inbox their sequences belong
// to other messages, which would count as dealt with.
func (in *inbox) abandon() {
	in.pending, in.heavy = nil, 0
	in.urgents.forget()
	clear(in.waiting)
}
