package actors

import (
	"time"

	"golang.org/x/sys/unix"
)

const (
	// near is how far an entry's timestamp may be from the expected time, to allow
	// for the delay of writing and delivery.
	near = time.Minute
	// sure is how long entries must agree on another time before the clock adopts it.
	sure = 30 * time.Second
)

// clock is an actor's time: the last log timestamp plus the monotonic time since it
// was read. It compares no two machines' clocks, and never goes back.
//
// The server stamps entries with its own clock, which may be wrong for a moment, or
// until an administrator sets it. One entry stamped a day ahead must not declare
// every host lost and every deadline missed, nor stop all wakes for a day. Once two
// live entries in a row agree, the clock is settled: from then on it adopts another
// time only after entries have agreed on it for a while.
type clock struct {
	log  time.Time // timestamp of the last entry that set the clock
	read time.Time // local time when it was folded
	last time.Time // what now last returned

	live    bool // the last entry was the newest of the log
	settled bool

	odd      time.Duration // offset of the latest entries that were not adopted
	oddSince time.Time     // local time of the first of them, zero for none

	nap napping
}

// observe applies an entry's timestamp. Live says that the entry was the log's newest.
func (c *clock) observe(entry time.Time, live bool) {
	off := entry.Sub(c.due())
	agrees := off.Abs() <= near
	switch {
	case c.log.IsZero() || !c.settled:
		c.settled = agrees && live && c.live && !c.log.IsZero()
		c.believe(entry, off)
	case agrees:
		c.believe(entry, off)
	case live:
		c.doubt(entry, off)
	}
	c.live = live
}

func (c *clock) believe(entry time.Time, off time.Duration) {
	if off < -near {
		c.last = time.Time{} // the time adopted before was wrong
	}
	c.log, c.read, c.oddSince = entry, time.Now(), time.Time{}
	c.nap.begin()
}

// doubt adopts the time of an entry that is off once all entries for a while were
// off by as much.
func (c *clock) doubt(entry time.Time, off time.Duration) {
	if c.oddSince.IsZero() || (off-c.odd).Abs() > near {
		c.odd, c.oddSince = off, time.Now()
		return
	}
	if time.Since(c.oddSince) >= sure {
		c.believe(entry, off)
	}
}

// due is the timestamp expected of an entry that is written now.
func (c *clock) due() time.Time {
	if c.log.IsZero() {
		return time.Now().Round(0)
	}
	return c.log.Add(time.Since(c.read) + c.nap.since())
}

func (c *clock) now() time.Time {
	now := c.due()
	if now.Before(c.last) {
		return c.last
	}
	c.last = now
	return now
}

// Rewound reports whether an actor's time, in Unix nanoseconds, goes back so far that
// it was wrong before. Times that the actor noted meanwhile may be far in the future:
// it drops them.
func Rewound(before, now int64) bool { return now < before-int64(time.Minute) }

// napping measures how long the machine was suspended since begin: Go's monotonic
// clock stops meanwhile. It reads the system's clocks once a second at most.
type napping struct {
	asleep time.Duration // since boot, at begin
	slept  time.Duration // since begin
	looked time.Time
}

const napEvery = time.Second

func (n *napping) begin() {
	n.since()
	n.asleep, n.slept = n.asleep+n.slept, 0
}

func (n *napping) since() time.Duration {
	if now := time.Now(); now.Sub(n.looked) >= napEvery {
		first := n.looked.IsZero()
		n.looked = now
		if all := asleep(); first {
			n.asleep = all
		} else {
			n.slept = (all - n.asleep).Truncate(napEvery) // two clocks are read one after the other
		}
	}
	return n.slept
}

// asleep is how long the machine has been suspended since it booted.
func asleep() time.Duration {
	var boot, running unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &running) != nil || unix.ClockGettime(unix.CLOCK_BOOTTIME, &boot) != nil {
		return 0
	}
	return time.Duration(boot.Nano() - running.Nano())
}
