package cgroup

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"
)

// Hurry gives CPU to processes that were killed: all of group from but those in
// except. They must have their SIGKILL already, so that none runs a line of its own
// with it. It moves them to group to, unless that is "": nothing else gets who waits for a CPU in
// the idle class out of it. The first move waits for the kernel's readers, some
// milliseconds; those that follow at once take 10 to 20 µs each.
//
// The kernel moves nobody who is in the middle of ending, and a fork bomb has
// dozens of them. They get a reservation.
func Hurry(from, to string, except ...int) {
	if to != "" {
		move(dir(from), dir(to), except)
	}
	left, _ := dir(from).pids()
	left = slices.DeleteFunc(left, func(pid int) bool { return slices.Contains(except, pid) })
	for _, pid := range left[:min(len(left), reservedMost)] {
		reserve(pid)
	}
}

func move(from, to dir, except []int) {
	pids, err := from.pids()
	if err != nil || len(pids) == 0 {
		return
	}
	f, err := os.OpenFile(filepath.Join(string(to), "cgroup.procs"), os.O_WRONLY, 0)
	if err != nil {
		return
	}
	defer f.Close() //nolint:errcheck // each write tells, and who was not moved gets a reservation
	for _, pid := range pids {
		if !slices.Contains(except, pid) {
			_, _ = f.WriteString(strconv.Itoa(pid)) // gone already: all the better
		}
	}
}

// Of a reservation: so much CPU time in each period, whoever else wants it, the primary
// included. So few have one at a time, a fifth of a core together: a single thread takes some tenths
// of a millisecond to end, and the next ones have their turn at the next look.
const (
	reservedMost    = 4
	reservedRuntime = 1_000_000 // ns
	reservedPeriod  = 20_000_000
	schedDeadline   = 6
)

// reserve gives the threads of a process some CPU (sched(7), SCHED_DEADLINE). It
// needs CAP_SYS_NICE, and threads that may use all cores.
func reserve(pid int) {
	threads, _ := os.ReadDir("/proc/" + strconv.Itoa(pid) + "/task")
	for _, t := range threads {
		tid, _ := strconv.Atoi(t.Name())
		attr := unix.SchedAttr{
			Size: unix.SizeofSchedAttr, Policy: schedDeadline,
			Runtime: reservedRuntime, Deadline: reservedPeriod, Period: reservedPeriod,
		}
		if unix.SchedSetAttr(tid, &attr, 0) == unix.EBUSY {
			return // no more of it now
		}
	}
}
