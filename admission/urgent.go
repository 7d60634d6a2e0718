package admission

import (
	"slices"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/ledger"
)

// While memory is full, submissions wait in the inbox. A cancel behind them may be what
// makes room, so it is read past them. It ends its job by an event without a place in
// the inbox, for the log has not dealt with what stands before it. In its turn it comes
// again, and finds the job cancelled.

// urgent is the cancels of one job that were read before their turn.
type urgent struct {
	*message
	inboxes []uint64 // of all of them
}

// Urgent lists the subjects of cancels.
func (a *Actor) Urgent() []string { return a.cfg.Pool.CancelSubjects() }

// hasten takes a cancel before its turn if it ends a job now. What it would be answered
// otherwise may depend on the messages before it, and is left to its turn.
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

// slow drops the cancels of a job that nobody has decided when their turn comes.
func (a *Actor) slow(job string) {
	a.urgent = slices.DeleteFunc(a.urgent, func(u urgent) bool { return u.job == job })
}

// hastened answers the cancels of a job that were read before their turn, and remembers
// that they were.
func (a *Actor) hastened(job string) (replies []actors.Reply) {
	a.urgent = slices.DeleteFunc(a.urgent, func(u urgent) bool {
		if u.job != job {
			return false
		}
		for _, inbox := range u.inboxes {
			a.early[inbox] = job
			replies = append(replies, reply(inbox, subjects.Verdict{Job: job, Verdict: "cancelled"})...)
		}
		return true
	})
	return replies
}

// hadItsTurn reports whether a message is a cancel that was answered before its turn and
// that changes nothing now: its job is cancelled, and nothing before it opens the job again.
func (a *Actor) hadItsTurn(inbox uint64) bool {
	job, early := a.early[inbox]
	delete(a.early, inbox)
	if !early || slices.ContainsFunc(a.pending, func(m *message) bool { return m.job == job }) {
		return false
	}
	j := a.state.Job(job)
	return j == nil || j.Phase == ledger.Cancelled
}

// forgetUrgent drops what was read before its turn: a new term reads it again.
func (a *Actor) forgetUrgent() {
	a.urgent = nil
	clear(a.early)
}
