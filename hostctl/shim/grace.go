package shim

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"lull/subjects"
)

// A task that is to end gets SIGTERM in all of its processes. It ends by itself within its grace, all
// of it: the main process may be a shell that dies at once, while the program that it started saves its
// work.

// lingerCheck bounds the wait between two looks at what is left of a task within its grace. The end of
// a child wakes the shim; that of another process of the cgroup does not.
const lingerCheck = 100 * time.Millisecond

// lingers reports whether the main process has ended, and what it left may go on until its grace is over.
func (t *task) lingers(now time.Time) bool {
	return t.ended && t.reason != "" && t.firstKillAt.IsZero() && now.Before(t.killAt)
}

// givenUp reports whether what the task left could not be killed for long enough. It notes when it is
// asked first.
func givenUp(t *task, now time.Time) bool {
	if t.clearFrom.IsZero() {
		t.clearFrom = now
	}
	return !now.Before(t.clearFrom.Add(clearPatience))
}

// terminate asks all processes of the task to end.
func (t *task) terminate(s *server) {
	asked := s.forker.signalTask(unix.SIGTERM, nil)
	for _, pid := range asked {
		_ = unix.Kill(pid, unix.SIGCONT) // a stopped process does not see the signal
	}
}

// signalTask sends a signal to each process of the task that matches, and returns them. Nil matches all.
//
// It lists again until no new process is there. Processes that began after the first signal are not
// sent it: a handler started them, to save its work for instance.
func (f *forker) signalTask(signal unix.Signal, matches func(pid int) bool) (sent []int) {
	began := ticksSinceBoot()
	seen := map[int]bool{}
	for round := range maxSignalLists {
		fresh := false
		for _, pid := range f.everyone() {
			if seen[pid] {
				continue
			}
			seen[pid], fresh = true, true
			if round > 0 && !startedBefore(pid, began) || matches != nil && !matches(pid) {
				continue
			}
			if unix.Kill(pid, signal) == nil {
				sent = append(sent, pid)
			}
		}
		if !fresh {
			break
		}
	}
	return sent
}

// maxSignalLists bounds how often signalTask looks at a task that forks without end.
const maxSignalLists = 10

// everyone returns all processes of the task: our descendants, and others in the slot's cgroups.
func (f *forker) everyone() []int {
	all := append(descendants(), f.othersInGroup()...)
	slices.Sort(all)
	return slices.Compact(all)
}

// ticksSinceBoot is the present time in the unit of start times in /proc.
func ticksSinceBoot() uint64 {
	var now unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &now) != nil {
		return 0
	}
	const perSecond = 100 // the kernel shows hundredths of a second to programs
	return uint64(now.Sec)*perSecond + uint64(now.Nsec)/(1e9/perSecond)
}

// startedBefore reports whether a process lives and began before a moment.
func startedBefore(pid int, ticks uint64) bool {
	start, err := strconv.ParseUint(startTime(pid), 10, 64)
	return err == nil && start < ticks
}

// warn sends the task the signal that its document asks for ahead of its timeout. Processes without a
// handler for it do not get it: the shell that started the program would die of it. If none has one yet,
// because the task had little CPU for instance, it tries again.
func (t *task) warn(s *server, now time.Time) {
	signal := unix.Signal(t.Warn.Signal)
	t.tell(subjects.StopTimeout)
	sent := s.forker.signalTask(signal, func(pid int) bool { return catches(pid, signal) })
	t.warned, t.warnAgainAt = len(sent) > 0, now.Add(sweepEvery)
}

// warnAt is when the task is to be warned, zero for never.
func (t *task) warnAt() time.Time {
	if t.Warn.Signal == 0 || t.warned || t.Timeout <= 0 || t.reason != "" {
		return time.Time{}
	}
	if at := t.clock.over(t.Timeout - t.Warn.Before); at.IsZero() || at.After(t.warnAgainAt) {
		return at
	}
	return t.warnAgainAt
}

// catches reports whether a process has a handler for a signal.
func catches(pid int, signal unix.Signal) bool {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)) // none if it has ended
	_, mask, _ := strings.Cut(string(status), "\nSigCgt:")
	mask, _, _ = strings.Cut(mask, "\n")
	caught, err := strconv.ParseUint(strings.TrimSpace(mask), 16, 64)
	return err == nil && caught&(1<<(signal-1)) != 0
}

// tell writes why the task is to end to its file for that, before it gets the signal. The file is the
// task's, so it is made anew, with the rights of the task's user. Without room for it the signal has
// to do.
func (t *task) tell(why string) {
	if t.StopFile == "" || why == "" {
		return
	}
	_ = t.Bounds.User.As(func() error {
		_ = unix.Unlink(t.StopFile)
		fd, err := unix.Open(t.StopFile, unix.O_CREAT|unix.O_EXCL|unix.O_WRONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o644)
		if err != nil {
			return err
		}
		_, err = unix.Write(fd, []byte(why+"\n"))
		return errors.Join(err, unix.Close(fd))
	})
}
