package sim

import "time"

// epoch is the Unix second at which scenarios begin: 2026-01-01.
const epoch = 1767225600

// Begin is when a scenario begins, by the clocks of its machines: a Thursday, at midnight.
var Begin = wall(0)

// wall is a virtual time as logs and people write it.
func wall(t time.Duration) time.Time { return time.Unix(epoch, int64(t)).UTC() }

// since is the inverse of wall, for Unix nanoseconds.
func since(unix int64) time.Duration { return time.Duration(unix - epoch*int64(time.Second)) }

// machine has clocks of its own, which may be wrong.
type machine struct {
	w      *World
	offset time.Duration // of the wall clock
	drift  float64       // seconds gained per second, by both
	from   time.Duration // since when it drifts
	base   time.Duration // the monotonic clock at that moment
}

// elapsed returns the monotonic clock, which may run too fast but never jumps.
func (m *machine) elapsed() time.Duration {
	passed := m.w.now - m.from
	return m.base + passed + time.Duration(m.drift*float64(passed))
}

// now returns the time by the machine's wall clock.
func (m *machine) now() time.Time { return wall(m.elapsed() + m.offset) }

// unix is now in Unix nanoseconds.
func (m *machine) unix() int64 { return epoch*int64(time.Second) + int64(m.elapsed()+m.offset) }

// skew makes the clocks wrong from now on.
func (m *machine) skew(offset time.Duration, drift float64) {
	m.base, m.from = m.elapsed(), m.w.now
	m.offset, m.drift = offset, drift
}
