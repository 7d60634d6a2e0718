package actor

import "lull/subjects"

// Guarded is the report that the guard stopped the host's tasks for the
// primary's sake, or let them go on. Nothing starts meanwhile.
type Guarded struct {
	Frozen bool
	Why    string // for people
}

// Relieve is the report that the primary needs more than the guard can take back
// from tasks that live: one is to end. Asked again before that one has ended, it
// does nothing.
type Relieve struct{}

// yield evicts a task, unless one is making way already. The next sample may be
// older than its end, so it evicts nobody.
func (a *Actor) yield() {
	if a.relieves() {
		return
	}
	a.evict()
	a.reserve.resume = max(a.reserve.resume, a.reserve.samples+2)
}

// stopped says why nothing may start while tasks are frozen; "" if they are not.
func (a *Actor) stopped() (reason, text string) {
	if !a.guarded.Frozen {
		return "", ""
	}
	return subjects.ReasonReserve, a.guarded.Why
}
