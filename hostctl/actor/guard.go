package actor

import "lull/subjects"

// Guarded is the report that the guard stopped the host's tasks for the
// primary's sake, or let them go on. Nothing starts meanwhile.
type Guarded struct {
	Frozen bool
	Why    string // for people
}

// Relieve is the report that the primary needs more than can be taken back
// from tasks that live: one is to end. Asked again before that one has ended, it
// does nothing.
type Relieve struct {
	// Attempt is who is to end, with Reason; 0 for whom the order of eviction names,
	// for the reserve's sake.
	Attempt uint64
	Reason  string
	Why     string // for people, "" if there is no more to say
	// AtOnce leaves no grace: each moment costs what the primary is short of.
	AtOnce bool
}

// yield evicts a task, unless one is making way already. The next sample may be
// older than its end, so it evicts nobody.
func (a *Actor) yield(r Relieve) {
	if r.Attempt != 0 {
		a.expel(r)
		return
	}
	if a.relieves() {
		return
	}
	a.evict(r.Why, r.AtOnce)
	a.reserve.resume = max(a.reserve.resume, a.reserve.samples+2)
}

// stopped says why nothing may start while tasks are frozen; "" if they are not.
func (a *Actor) stopped() (reason, text string) {
	if !a.guarded.Frozen {
		return "", ""
	}
	return subjects.ReasonReserve, a.guarded.Why
}
