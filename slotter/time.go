package slotter

import "lull/actors"

// setTime sets the time. If it goes back because it was wrong, the actor drops every
// time that it noted itself and begins anew with the state that it has folded.
func (a *Actor) setTime(now int64) {
	back := actors.Rewound(a.now, now)
	a.now = now
	if !back {
		return
	}
	if state, err := a.Snapshot(); err == nil {
		_ = a.Restore(state) // its own bytes, which it can read
	}
	a.now, a.led = now, now // like a new leader, it waits for telemetry before it judges hosts
	a.assigner.preemption.forgetTimes()
	for _, j := range a.live() {
		if j != nil {
			j.served = min(j.served, now)
		}
	}
}
