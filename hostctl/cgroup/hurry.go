package cgroup

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Hurry gives CPU to processes that were killed, to end with: in the idle class, beside
// a primary that wants every core, they get none. It does so for a few at a time, and is
// to be called again soon if it says that some still wait. They must have their SIGKILL
// already, so that none runs a line of its own with it.
//
// They are not moved to another cgroup. That takes a lock of the whole kernel's from
// every thread that forks or ends, and the kernel hands it back to those that waited, before
// they run: one of them in the idle class kept it for half a minute, and no process of the
// host could fork. A reservation needs no such lock, and reaches the holders, too.
//
// A thread that has a reservation keeps it. Where the machine has no more, each is halved: a
// fork bomb's dead queue for the same lock, and while those that slept in the queue had all
// there is, the one that had the lock got no CPU, for a minute.
//
// It needs CAP_SYS_NICE, and threads that may use all cores.
func Hurry(pids ...int) (some bool) {
	given := 0
	for tid := range threads(pids) {
		fresh, err := reserve(tid)
		switch {
		case errors.Is(err, unix.EBUSY):
			halve(pids)
			return true // half of it is to be had at the next look
		case err != nil:
			continue // it may have none
		}
		some = true
		if fresh {
			given++
		}
		if given == givenMost {
			break
		}
	}
	return some
}

// givenMost is how many get a reservation at a look, or they would all run at once: the
// kernel enforces them only at its ticks.
const givenMost = 16

// hurrySpared gives CPU to those threads of the spared processes that work in the slot, for its
// task: one that stands still there may hold what the others of its process wait for. The other
// threads get none: it would bound them.
func (k killing) hurrySpared() {
	class := k.slot.tree.caps.class()
	if class.Version != 1 {
		return // there a process is in a group as a whole
	}
	working, _ := readFile(k.slot.in(class), "tasks", parsePIDs)
	for _, tid := range working {
		for _, pid := range k.spared {
			if _, err := os.Stat(fmt.Sprintf("/proc/%d/task/%d", pid, tid)); err == nil {
				_, _ = reserve(tid)
			}
		}
	}
}
