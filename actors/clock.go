package actors

import "time"

// clock is an actor's time: the last log timestamp plus the local monotonic
// time since it was read. So two machines' clocks never argue, and a decision
// is never older than the facts it rests on. It does not go back.
type clock struct {
	log  time.Time // timestamp of the last entry
	read time.Time // local time when that entry was folded
	last time.Time // what now last returned
}

func (c *clock) observe(entry time.Time) {
	c.log, c.read = entry, time.Now()
}

func (c *clock) now() time.Time {
	now := c.log.Add(time.Since(c.read))
	if c.log.IsZero() {
		now = time.Now().Round(0)
	}
	if now.Before(c.last) {
		return c.last
	}
	c.last = now
	return now
}
