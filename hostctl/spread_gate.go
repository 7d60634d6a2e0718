package hostctl

import "time"

const (
	// spreadLeast is the cores that the primary uses at least where there is
	// something to be spread: one thread alone never waits behind another.
	spreadLeast = 0.05
	// spreadLinger is how long looking goes on after that.
	spreadLinger = time.Second
)

// spreadGate tells when looking pays: while batch work runs, and of late the
// primary has used some CPU but not all of it. It opens at the first sample that
// says so, for a tail is made of the first moments of a burst.
type spreadGate struct {
	cores   float64
	at      time.Time
	ran     float64 // CPU seconds of the primary
	fitting time.Time
}

// step takes how many tasks run and the primary's CPU seconds since a fixed
// moment, known or not.
func (g *spreadGate) step(now time.Time, tasks int, ran float64, known bool) (open bool) {
	seconds := now.Sub(g.at).Seconds()
	if used := (ran - g.ran) / seconds; !known || seconds > 0 && used >= spreadLeast && used < g.cores {
		g.fitting = now
	}
	g.at, g.ran = now, ran
	return tasks > 0 && now.Sub(g.fitting) < spreadLinger
}
