// Package recede lowers the priorities of threads and sessions below those of all others. Without
// cgroups nothing else bounds them.
package recede

import (
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

const (
	ioprioWhoProcess = 1
	ioprioIdle       = 3 << 13 // IOPRIO_CLASS_IDLE, see ioprio_set(2)
)

// Disk makes a thread (0: the calling one), and what it starts, yield the disk to all other
// threads.
func Disk(tid int) error {
	if _, _, errno := unix.Syscall(unix.SYS_IOPRIO_SET, ioprioWhoProcess, uintptr(tid), ioprioIdle); errno != 0 {
		return fmt.Errorf("take the idle I/O class: %w", errno)
	}
	return nil
}

// CPU does the same with the CPU, among the processes of its session or cgroup.
func CPU(tid int) error {
	attr := unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_IDLE, Nice: 19}
	if err := unix.SchedSetAttr(tid, &attr, 0); err != nil {
		return fmt.Errorf("take SCHED_IDLE: %w", err)
	}
	return nil
}

// niceWait bounds the wait for the kernel's rate limit. Users without CAP_SYS_ADMIN may renice ten
// sessions a second, all of them together, and an agent starts a shim a slot.
const niceWait = 5 * time.Second

// Session gives the calling process's session the least share against others. Kernels
// without autogroups have no such file, and need none.
func Session() {
	for deadline := time.Now().Add(niceWait); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		err := os.WriteFile("/proc/self/autogroup", []byte("19"), 0)
		if !errors.Is(err, unix.EAGAIN) {
			return
		}
	}
}
