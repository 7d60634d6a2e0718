package core

import "time"

const (
	// stampTolerance is how far an entry's timestamp may be from the expected time, to allow
	// for the delay of writing and delivery.
	stampTolerance = time.Minute
	// adoptAfter is how long entries must agree on another time before the clock adopts it.
	adoptAfter = 30 * time.Second
)

// clock is an actor's time: the last log timestamp plus the time elapsed since it
// was read. It never compares the clocks of two machines. It goes back only when it
// adopts a time that is earlier by more than stampTolerance.
//
// The server stamps entries with its own clock, which may be wrong for a moment, or until an
// administrator sets it. One entry stamped a day ahead must not declare every host lost and every
// deadline missed, nor stop all wakes for a day. Once two live entries in a row agree, the clock is
// settled. From then on it adopts another time only after entries have agreed on it for a while.
type clock struct {
	log  time.Time     // timestamp of the last entry that set the clock
	read time.Duration // Moment.Elapsed when that entry was folded
	last time.Time     // what now last returned

	live    bool // the last entry was the newest of the log
	settled bool

	deviation     time.Duration // offset from the expected time of the latest entries that were not adopted
	deviatesSince time.Duration // Moment.Elapsed at the first of them
	deviates      bool          // there are such entries
}

// observe applies an entry's timestamp. live reports whether the entry was the newest of the log.
func (c *clock) observe(at *Moment, entry time.Time, live bool) {
	off := entry.Sub(c.expected(at))
	agrees := off.Abs() <= stampTolerance
	switch {
	case c.log.IsZero() || !c.settled:
		c.settled = agrees && live && c.live && !c.log.IsZero()
		c.adopt(at, entry, off)
	case agrees:
		c.adopt(at, entry, off)
	case live:
		c.noteDeviation(at, entry, off)
	}
	c.live = live
}

// adopt adopts the timestamp of an entry, which is off from the expected time by off.
func (c *clock) adopt(at *Moment, entry time.Time, off time.Duration) {
	if off < -stampTolerance {
		c.last = time.Time{} // the time adopted before was wrong
	}
	c.log, c.read, c.deviates = entry, at.Elapsed, false
}

// noteDeviation handles an entry that is off by more than stampTolerance. It adopts the entry's timestamp only
// if all entries of the last 30 s (adoptAfter) were off by about as much.
func (c *clock) noteDeviation(at *Moment, entry time.Time, off time.Duration) {
	if !c.deviates || (off-c.deviation).Abs() > stampTolerance {
		c.deviation, c.deviatesSince, c.deviates = off, at.Elapsed, true
		return
	}
	if at.Elapsed-c.deviatesSince >= adoptAfter {
		c.adopt(at, entry, off)
	}
}

// expected is the timestamp expected of an entry that is written now.
func (c *clock) expected(at *Moment) time.Time {
	if c.log.IsZero() {
		return at.Wall
	}
	return c.log.Add(at.Elapsed - c.read)
}

// now returns the time, which is not before the one that it returned last.
func (c *clock) now(at *Moment) time.Time {
	now := c.expected(at)
	if now.Before(c.last) {
		return c.last
	}
	c.last = now
	return now
}
