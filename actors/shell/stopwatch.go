package shell

import (
	"time"

	"golang.org/x/sys/unix"
)

// stopwatch measures time since it was made, the time that the machine was suspended
// included: Go's monotonic clock stops meanwhile. It reads the system's clocks once a second
// at most, so suspended time is counted up to a second late.
type stopwatch struct {
	began            time.Time
	suspendedAtStart time.Duration // since boot, when it was made
	suspended        time.Duration // since then
	checkedAt        time.Time
}

const suspendCheckEvery = time.Second

func newStopwatch() stopwatch {
	now := time.Now()
	return stopwatch{began: now, suspendedAtStart: suspendedSinceBoot(), checkedAt: now}
}

func (w *stopwatch) elapsed() time.Duration {
	now := time.Now()
	if now.Sub(w.checkedAt) >= suspendCheckEvery {
		w.checkedAt = now
		slept := (suspendedSinceBoot() - w.suspendedAtStart).Truncate(suspendCheckEvery) // two clocks are read one after the other
		w.suspended = max(w.suspended, slept)
	}
	return now.Sub(w.began) + w.suspended
}

// suspendedSinceBoot is how long the machine has been suspended since it booted.
func suspendedSinceBoot() time.Duration {
	var boot, running unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &running) != nil || unix.ClockGettime(unix.CLOCK_BOOTTIME, &boot) != nil {
		return 0
	}
	return time.Duration(boot.Nano() - running.Nano())
}
