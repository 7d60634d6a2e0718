package cgroup

import (
	"errors"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A reservation is this much CPU time in each period, whatever other processes want, the primary
// included. A single thread takes some tenths of a millisecond to end.
const (
	reservedPeriod  = 20_000_000 // ns
	reservedRuntime = 500_000
	leastRuntime    = 10_000 // of which each core has room for two thousand
)

// reserveCPU gives a thread a reservation (sched(7), SCHED_DEADLINE) and reports whether it did; a
// thread that has one gets no second. The error is EBUSY if the machine has no more.
//
// A thread that has ended gets none either. The kernel (Linux 6.18) takes a thread's reservation
// back when the thread ends and never looks again. A later one would be lost to the host until a
// cpuset changes. So would one taken from a thread that sleeps.
func reserveCPU(tid int) (given bool, err error) {
	if runtime, there := reserved(tid); !there || runtime > 0 {
		return false, nil
	}
	err = setReservation(tid, reservedRuntime)
	if errors.Is(err, unix.EPERM) && leaveCores(tid) == nil {
		err = setReservation(tid, reservedRuntime)
	}
	return err == nil, err
}

// leaveCores lets a thread use all cores that its cpuset has. The kernel gives no reservation to a thread
// that keeps to some (taskset).
func leaveCores(tid int) error {
	var all unix.CPUSet
	for n := range 8 * int(unsafe.Sizeof(all)) {
		all.Set(n)
	}
	return unix.SchedSetaffinity(tid, &all)
}

// halveReservations takes half of their reservations from all that have one. A thread that only waits needs none.
func halveReservations(pids []int) {
	for tid := range threads(pids) {
		if runtime, there := reserved(tid); there && runtime >= 2*leastRuntime {
			_ = setReservation(tid, runtime/2) // ended by now: all the better
		}
	}
}

// reserved is what a thread has of each period, if it is there and has not ended.
func reserved(tid int) (runtime uint64, there bool) {
	attr, err := unix.SchedGetAttr(tid, 0)
	if err != nil || ended(tid) {
		return 0, false
	}
	if attr.Policy == unix.SCHED_DEADLINE {
		runtime = attr.Runtime
	}
	return runtime, true
}

func setReservation(tid int, runtime uint64) error {
	return unix.SchedSetAttr(tid, &unix.SchedAttr{
		Size: unix.SizeofSchedAttr, Policy: unix.SCHED_DEADLINE,
		Flags:   unix.SCHED_FLAG_RESET_ON_FORK, // or none that has one could start a thread
		Runtime: runtime, Deadline: reservedPeriod, Period: reservedPeriod,
	}, 0)
}
