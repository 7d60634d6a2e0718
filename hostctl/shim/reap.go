package shim

import (
	"time"

	"golang.org/x/sys/unix"
)

// reap waits for all children that have ended, the task's orphans among them,
// and reports whether any child is left. Without children wait4 says so, and
// every living descendant has an ancestor among our children.
func (t *task) reap(now time.Time) (left bool) {
	for {
		var status unix.WaitStatus
		var usage unix.Rusage
		pid, err := unix.Wait4(-1, &status, unix.WNOHANG|unix.WALL, &usage)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return false
		case pid == 0:
			return true
		}
		t.account(&usage)
		if pid == t.pid {
			t.ended, t.end, t.status = true, now, status
		}
	}
}

// account adds what a process used, and all those that it waited for.
func (t *task) account(u *unix.Rusage) {
	t.cpu += seconds(u.Utime) + seconds(u.Stime)
	t.maxRSS = max(t.maxRSS, u.Maxrss<<10) // the kernel counts KiB
}

func seconds(t unix.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }
