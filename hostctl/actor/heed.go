package actor

import (
	"math"

	"lull/subjects"
)

// Heeds reports whether a sample of the host's own telemetry would tell the
// actor anything. Most do not: the primary does as before, no reserve is
// broken, and the last beat names how far the log was read. Who steps many
// hosts a second, as a simulator does, may leave those out.
func (a *Actor) Heeds(u *subjects.Usage) bool {
	return a.changed || a.told != a.seq || !a.residual.seen || differ(u.Idle, a.residual.idle) || a.reserve.heeds(u) ||
		a.relieves() || a.breached()
}

// heeds reports whether the sample would move what is kept back.
func (r *reserve) heeds(u *subjects.Usage) bool {
	return r.samples < r.resume || r.lower > 0 || u.MemoryFree != r.free || int(math.Ceil(u.Primary)) != r.primary
}

// relieves reports whether a task is being evicted for a reserve.
func (a *Actor) relieves() bool {
	t := a.attempt(a.reserve.victim)
	return t != nil && t.occupies()
}

func differ(x, y float64) bool { return x < y || x > y }
