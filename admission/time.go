package admission

import "time"

// rewound is by how much the time goes back when it was wrong before.
const rewound = int64(time.Minute)

// setTime sets the time. When that was wrong, and goes back, all that the actor
// noted of when it heard and did what would hold for as long as it was wrong: it
// begins anew with what it has folded.
func (a *Actor) setTime(now int64) {
	back := now < a.now-rewound
	a.now = now
	if !back {
		return
	}
	pending, heavy, waiting := a.pending, a.heavy, a.waiting
	if state, err := a.Snapshot(); err == nil && a.Restore(state) == nil {
		a.pending, a.heavy, a.waiting = pending, heavy, waiting
	}
	a.now, a.led = now, now // what is not heard of yet is waited for as by a new leader
}
