package spread

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// takePrecedence puts this thread before those that it moves: it must not queue
// behind them.
func takePrecedence() error {
	urgent := unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Priority: 1, Flags: unix.SCHED_FLAG_RESET_ON_FORK}
	err := unix.SchedSetAttr(0, &urgent, 0)
	if err == nil {
		return nil
	}
	if e := unix.Setpriority(unix.PRIO_PROCESS, 0, -20); e != nil {
		return fmt.Errorf("%w: take the real-time class: %w, or nice -20: %w (this needs root or CAP_SYS_NICE)", ErrImmovable, err, e)
	}
	return nil
}

// start is the origin of this process's clock.
var start = time.Now()

// monotonic is the time since then. The clock is read without a system call.
func monotonic() time.Duration { return time.Since(start) }
