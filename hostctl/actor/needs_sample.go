package actor

import "lull/subjects"

// NeedsSample reports whether a sample of the host's own telemetry would change the
// actor's state or its heartbeat. Most do not: the primary uses as much as before, no
// reserve is violated, and the last heartbeat names how far the log was read. A caller
// that steps many hosts a second, as a simulator does, may leave those samples out.
func (a *Actor) NeedsSample(u *subjects.Usage) bool {
	return a.changed || a.beatSeq != a.seq || !a.residual.seen || differ(u.Idle, a.residual.idle) || a.reserve.meter.Changes(a.cfg.reserved(), u) ||
		len(a.reserve.ending) > 0 || a.reserve.violated()
}

func differ(x, y float64) bool { return x < y || x > y }
