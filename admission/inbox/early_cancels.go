package inbox

import (
	"slices"

	"lull/actors"
	"lull/admission/facts"
	"lull/subjects"
	"lull/subjects/ledger"
)

// While memory is full, submissions wait in the inbox. A cancel after them may make room, so it
// is read before its turn. It ends its job by an event without an inbox sequence, because the
// log has not dealt with the messages before it. In its turn it is read again, and finds the
// job cancelled.

// earlyCancel holds the cancels of one job that were read before their turn.
type earlyCancel struct {
	*Message
	inboxes []uint64 // inbox sequences of all of them
}

// earlyCancels are the cancels that were read before their turn, by job and with those already answered.
type earlyCancels struct {
	*facts.Facts
	pending  []earlyCancel
	answered map[uint64]string // inbox sequence of a cancel that was answered → its job
}

// accept keeps a cancel that was read before its turn if it ends a job now. The answer to any other
// message may depend on the messages before it, and is given in its turn.
func (us *earlyCancels) accept(m *Message) {
	if m.From.Verb != subjects.RequestCancel || m.CancelsTasks() || !us.cancels(m) {
		return
	}
	i := slices.IndexFunc(us.pending, func(u earlyCancel) bool { return u.Job == m.Job })
	if i < 0 {
		i = len(us.pending)
		us.pending = append(us.pending, earlyCancel{Message: m})
	}
	us.pending[i].inboxes = append(us.pending[i].inboxes, m.Inbox)
}

// cancels reports whether a cancel ends its job now.
func (us *earlyCancels) cancels(m *Message) bool {
	j := us.Ledger.Job(m.Job)
	return j != nil && !j.Phase.Ended() && m.MayChange(&us.Config, j.User)
}

// Decide returns the events of the cancels that were read before their turn.
func (us *earlyCancels) Decide(room int) (events []subjects.Event) {
	us.pending = slices.DeleteFunc(us.pending, func(u earlyCancel) bool { return !us.cancels(u.Message) })
	for _, u := range us.pending[:min(len(us.pending), room)] {
		events = append(events, u.Cancelled(&us.Config, 0))
	}
	return events
}

// drop removes the undecided cancels of a job when the turn of one of them comes.
func (us *earlyCancels) drop(job string) {
	us.pending = slices.DeleteFunc(us.pending, func(u earlyCancel) bool { return u.Job == job })
}

// Answer answers the cancels of a job that were read before their turn, and notes them as
// answered.
func (us *earlyCancels) Answer(job string) (replies []actors.Reply) {
	us.pending = slices.DeleteFunc(us.pending, func(u earlyCancel) bool {
		if u.Job != job {
			return false
		}
		for _, inbox := range u.inboxes {
			us.answered[inbox] = job
			replies = append(replies, reply(inbox, subjects.Verdict{Job: job, Verdict: subjects.VerdictCancelled})...)
		}
		return true
	})
	return replies
}

// alreadyAnswered reports whether a message is a cancel that was answered before its turn and has no
// effect now: its job is cancelled, and no message before it retries the job.
func (us *earlyCancels) alreadyAnswered(inbox uint64, pending []*Message) bool {
	job, early := us.answered[inbox]
	delete(us.answered, inbox)
	if !early || slices.ContainsFunc(pending, func(m *Message) bool { return m.Job == job }) {
		return false
	}
	j := us.Ledger.Job(job)
	return j == nil || j.Phase == ledger.Cancelled
}

// Forget drops the cancels that were read before their turn. A new term of admission reads them again.
func (us *earlyCancels) Forget() {
	us.pending = nil
	clear(us.answered)
}
