package shell

import (
	"time"

	"golang.org/x/sys/unix"
)

// stopwatch measures time since it was made, the time that the machine was suspended
// included: Go's monotonic clock stops meanwhile. It reads the system's clocks once a second
// at most, so the time asleep is counted up to a second late.
type stopwatch struct {
	began  time.Time
	asleep time.Duration // since boot, when it was made
	slept  time.Duration // since then
	looked time.Time
}

const sleepEvery = time.Second

func newStopwatch() stopwatch {
	now := time.Now()
	return stopwatch{began: now, asleep: asleep(), looked: now}
}

func (w *stopwatch) elapsed() time.Duration {
	now := time.Now()
	if now.Sub(w.looked) >= sleepEvery {
		w.looked = now
		slept := (asleep() - w.asleep).Truncate(sleepEvery) // two clocks are read one after the other
		w.slept = max(w.slept, slept)
	}
	return now.Sub(w.began) + w.slept
}

// asleep is how long the machine has been suspended since it booted.
func asleep() time.Duration {
	var boot, running unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &running) != nil || unix.ClockGettime(unix.CLOCK_BOOTTIME, &boot) != nil {
		return 0
	}
	return time.Duration(boot.Nano() - running.Nano())
}
