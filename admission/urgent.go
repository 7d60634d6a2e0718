package admission

import (
	"slices"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/ledger"
)

// While memory is full, submissions wait in the inbox. A cancel after them may make room, so it
// is read before its turn. It ends its job by an event without an inbox sequence, because the
// log has not dealt with the messages before it. In its turn it is read again, and finds the
// job cancelled.

// urgent holds the cancels of one job that were read before their turn.
type urgent struct {
	*message
	inboxes []uint64 // of all of them
}

// Urgent lists the subjects of cancels.
func (a *Actor) Urgent() []string { return a.cfg.Pool.CancelSubjects() }

// hasten accepts a cancel before its turn if it ends a job now. Any other answer may depend on
// the messages before it, and is left to its turn.
func (a *Actor) hasten(r *actors.Request) {
	m, err := a.read(r)
	if err != nil || m.from.Verb != subjects.RequestCancel || !a.cancels(m) {
		return
	}
	i := slices.IndexFunc(a.urgent, func(u urgent) bool { return u.job == m.job })
	if i < 0 {
		i = len(a.urgent)
		a.urgent = append(a.urgent, urgent{message: m})
	}
	a.urgent[i].inboxes = append(a.urgent[i].inboxes, m.inbox)
}

// cancels reports whether a cancel ends its job now.
func (a *Actor) cancels(m *message) bool {
	j := a.state.Job(m.job)
	return j != nil && !j.Phase.Ended() && a.mayChange(m, j.User)
}

// hurry decides the cancels that were read before their turn.
func (a *Actor) hurry(b *bench) {
	a.urgent = slices.DeleteFunc(a.urgent, func(u urgent) bool { return !a.cancels(u.message) })
	for _, u := range a.urgent[:min(len(a.urgent), b.room())] {
		b.add(a.cancelled(u.message, 0))
	}
}

// slow drops the undecided cancels of a job when their turn comes.
func (a *Actor) slow(job string) {
	a.urgent = slices.DeleteFunc(a.urgent, func(u urgent) bool { return u.job == job })
}

// hastened answers the cancels of a job that were read before their turn, and notes them as
// answered.
func (a *Actor) hastened(job string) (replies []actors.Reply) {
	a.urgent = slices.DeleteFunc(a.urgent, func(u urgent) bool {
		if u.job != job {
			return false
		}
		for _, inbox := range u.inboxes {
			a.early[inbox] = job
			replies = append(replies, reply(inbox, subjects.Verdict{Job: job, Verdict: subjects.VerdictCancelled})...)
		}
		return true
	})
	return replies
}

// hadItsTurn reports whether a message is a cancel that was answered before its turn and has no
// effect now: its job is cancelled, and no message before it retries the job.
func (a *Actor) hadItsTurn(inbox uint64) bool {
	job, early := a.early[inbox]
	delete(a.early, inbox)
	if !early || slices.ContainsFunc(a.pending, func(m *message) bool { return m.job == job }) {
		return false
	}
	j := a.state.Job(job)
	return j == nil || j.Phase == ledger.Cancelled
}

// forgetUrgent drops the cancels that were read before their turn: a new term reads them again.
func (a *Actor) forgetUrgent() {
	a.urgent = nil
	clear(a.early)
}
