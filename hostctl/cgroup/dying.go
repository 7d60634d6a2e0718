package cgroup

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Dying counts the processes of a group that is being killed, from one look at them to the next. Its
// zero value is ready for the first look.
type Dying struct {
	left int // processes at the last look
}

// GiveCPU gives CPU to killed processes that get none, so that they can end. In the idle class,
// beside a primary that wants every core, they would wait. It serves a few at a time; call it again
// soon if it reports that some still wait. The processes must have their SIGKILL already, so that
// none uses the CPU to run on.
//
// The CPU that it gives is taken from the primary. Hence it gives none while the processes end by
// themselves, at least as many from one call to the next as it would have helped.
//
// GiveCPU does not move processes to another cgroup. A move takes a kernel-wide lock from every
// thread that forks or ends, and the kernel hands the lock back to the waiters before they run. One
// waiter in the idle class kept it for half a minute, and no process of the host could fork. A
// reservation needs no such lock, and it also reaches the holders of the lock.
//
// A thread that has a reservation keeps it. Where the machine has no more to give, each reservation
// is halved. Before that, the dead processes of a fork bomb queued for this lock. Those that slept
// in the queue had all reservations, and the holder of the lock got no CPU for a minute.
//
// GiveCPU needs CAP_SYS_NICE, and threads that may use all cores.
func (d *Dying) GiveCPU(pids ...int) (some bool) {
	ended := d.left - len(pids)
	d.left = len(pids)
	return ended < maxReserved && reserveForSome(pids)
}

// reserveForSome gives reservations to a few threads, and reports whether it is worth another look.
func reserveForSome(pids []int) (some bool) {
	given := 0
	for tid := range threads(pids) {
		fresh, err := reserveCPU(tid)
		switch {
		case errors.Is(err, unix.EBUSY):
			halveReservations(pids)
			return true // half of it is to be had at the next look
		case err != nil:
			continue // it may have none
		}
		some = true
		if fresh {
			given++
		}
		if given == maxReserved {
			break
		}
	}
	return some
}

// maxReserved is how many get a reservation at a look, or they would all run at once: the
// kernel enforces them only at its ticks. Sixteen took most of two cores from the primary.
const maxReserved = 4

// giveCPUToSpared gives CPU to those threads of the spared processes that work in the slot for its
// task. Such a thread may keep what the other threads of its process wait for. The other threads
// get no reservation, because it would bound them.
func (k killing) giveCPUToSpared() {
	class := k.slot.tree.caps.class()
	if class.Version != 1 {
		return // there a process is in a group as a whole
	}
	working, _ := readFile(k.slot.in(class), "tasks", parsePIDs)
	for _, tid := range working {
		for _, pid := range k.spared {
			if _, err := os.Stat(fmt.Sprintf("/proc/%d/task/%d", pid, tid)); err == nil {
				_, _ = reserveCPU(tid)
			}
		}
	}
}
