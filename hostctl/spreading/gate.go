package spreading

import "time"

const (
	// least is the cores that the primary uses at least where there is
	// something to be spread: one thread alone never waits behind another.
	least = 0.05
	// linger is how long looking goes on after that.
	linger = time.Second
)

// gate decides when looking pays: while batch work runs, and the primary lately used some CPU but
// not all of it. It opens at the first sample that shows this, because the first moments of a burst
// make the tail.
type gate struct {
	cores      float64
	at         time.Time
	ran        float64 // CPU seconds of the primary
	lastUseful time.Time
}

// step takes how many tasks run and the primary's CPU seconds since a fixed
// moment, known or not.
func (g *gate) step(now time.Time, tasks int, ran float64, known bool) (open bool) {
	seconds := now.Sub(g.at).Seconds()
	if used := (ran - g.ran) / seconds; !known || seconds > 0 && used >= least && used < g.cores {
		g.lastUseful = now
	}
	g.at, g.ran = now, ran
	return tasks > 0 && now.Sub(g.lastUseful) < linger
}
