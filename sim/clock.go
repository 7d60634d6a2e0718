package sim

import "time"

// epoch is the Unix second at which scenarios begin: 2026-01-01.
const epoch = 1767225600

// wall is a virtual time as logs and people write it.
func wall(t time.Duration) time.Time { return time.Unix(epoch, int64(t)).UTC() }

// since is the inverse of wall, for Unix nanoseconds.
func since(unix int64) time.Duration { return time.Duration(unix - epoch*int64(time.Second)) }

// machine has a clock of its own, which may be wrong.
type machine struct {
	w      *World
	offset time.Duration
	drift  float64 // seconds gained per second
}

// now is what the machine takes for the time.
func (m *machine) now() time.Time {
	return wall(m.w.now + m.offset + time.Duration(m.drift*float64(m.w.now)))
}

// clock is an actor's time, as actors.Shell keeps it: the last log timestamp
// plus the machine's time since. It does not go back.
type clock struct {
	machine *machine
	log     time.Time // timestamp of the last entry
	read    time.Time // the machine's time when that was folded
	last    time.Time // what now last returned
}

func (c *clock) observe(entry time.Time) { c.log, c.read = entry, c.machine.now() }

func (c *clock) now() time.Time {
	local := c.machine.now()
	now := c.log.Add(local.Sub(c.read))
	if c.log.IsZero() {
		now = local
	}
	if now.Before(c.last) {
		return c.last
	}
	c.last = now
	return now
}
