package admission

import "lull/actors"

// setTime sets the time. If it goes back because it was wrong, the actor drops every time that it
// noted itself and begins anew with the state that it has folded.
func (a *Actor) setTime(now int64) {
	back := actors.Rewound(a.facts.Now, now)
	a.facts.Now = now
	if !back {
		return
	}
	pending, heavy, waiting := a.inbox.Pending, a.inbox.PendingBytes, a.inbox.Waiting
	if state, err := a.Snapshot(); err == nil && a.Restore(state) == nil {
		a.inbox.Pending, a.inbox.PendingBytes, a.inbox.Waiting = pending, heavy, waiting
	}
	a.facts.Now, a.facts.Led = now, now // like a new leader, it waits for telemetry before it judges hosts
}
