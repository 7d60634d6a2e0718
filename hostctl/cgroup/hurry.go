package cgroup

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// Hurry gives CPU to processes that were killed, to end with: in the idle class, beside
// a primary that wants every core, they get none. It does so for a few at a time, and is
// to be called again soon if it says that some still wait. They must have their SIGKILL
// already, so that none runs a line of its own with it.
//
// They are not moved to another cgroup. That takes a lock of the whole kernel's from
// everybody who forks or ends, and the kernel hands it back to those who waited, before
// they run: one of them in the idle class kept it for half a minute, and no process of the
// host could fork. A reservation needs no such lock, and reaches those too who hold it.
//
// It needs CAP_SYS_NICE, and threads that may use all cores.
func Hurry(pids ...int) (some bool) {
	free := reservedMost
	for _, pid := range pids {
		threads, _ := os.ReadDir("/proc/" + strconv.Itoa(pid) + "/task") // gone: all the better
		for _, thread := range threads {
			tid, _ := strconv.Atoi(thread.Name())
			switch has, err := reserve(tid); {
			case errors.Is(err, unix.EBUSY):
				return true // no more of it now
			case has:
				free--
			}
			if free == 0 {
				return true
			}
		}
	}
	return free < reservedMost
}

// relieve gives CPU to those threads of the spared that work in the slot, for its task:
// one that stands still there may hold what the others of its process wait for. The
// others get none, for whom it would be a bound.
func (s *Slot) relieve(spared []int) {
	class := s.tree.caps.class()
	if class.Version != 1 {
		return // there a process is in a group as a whole
	}
	working, _ := readFile(s.in(class), "tasks", parsePIDs)
	for _, tid := range working {
		for _, pid := range spared {
			if _, err := os.Stat(fmt.Sprintf("/proc/%d/task/%d", pid, tid)); err == nil {
				_, _ = reserve(tid) // no more of it now: at the next look
			}
		}
	}
}

// Of a reservation: so much CPU time in each period, whoever else wants it, the primary
// included. So few have one at a time, two fifths of a core together: a single thread
// takes some tenths of a millisecond to end, and the next ones follow at the next look.
const (
	reservedMost    = 16
	reservedRuntime = 500_000 // ns
	reservedPeriod  = 20_000_000
)

// reserve gives a thread some CPU (sched(7), SCHED_DEADLINE), and says whether it has
// it now. Nothing here looks into /proc/…/stat, which can wait for the one who dies.
func reserve(tid int) (has bool, err error) {
	attr, err := unix.SchedGetAttr(tid, 0)
	if err != nil || attr.Policy == unix.SCHED_DEADLINE {
		return err == nil, err
	}
	err = unix.SchedSetAttr(tid, &unix.SchedAttr{
		Size: unix.SizeofSchedAttr, Policy: unix.SCHED_DEADLINE,
		Flags:   unix.SCHED_FLAG_RESET_ON_FORK, // or nobody who has one could start a thread
		Runtime: reservedRuntime, Deadline: reservedPeriod, Period: reservedPeriod,
	}, 0)
	return err == nil, err
}
