package cgroup

import (
	"errors"
	"iter"
	"strconv"

	"golang.org/x/sys/unix"
)

// threads returns the threads of the processes that still exist.
func threads(pids []int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for _, pid := range pids {
			for _, name := range threadsOf(pid) {
				if tid, err := strconv.Atoi(name); err == nil && !yield(tid) {
					return
				}
			}
		}
	}
}

// threadsOf is os.ReadDir with little garbage. A shim collects garbage at each megabyte. That may
// start a thread, which waits like every fork while a kill is due.
func threadsOf(pid int) (names []string) {
	fd, err := unix.Open("/proc/"+strconv.Itoa(pid)+"/task", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil // gone: all the better
	}
	defer unix.Close(fd) //nolint:errcheck // only read
	var b [1024]byte
	for {
		n, err := unix.ReadDirent(fd, b[:])
		if err != nil || n <= 0 {
			return names
		}
		_, _, names = unix.ParseDirent(b[:n], -1, names)
	}
}

// ended says whether a thread is a zombie or gone. What /proc says of it would be to wait
// for, with those that hold its memory or its locks. Before Linux 6.9 a first thread that
// others of its process outlive counts as alive.
func ended(tid int) bool {
	fd, err := unix.PidfdOpen(tid, unix.PIDFD_THREAD)
	if errors.Is(err, unix.EINVAL) {
		fd, err = unix.PidfdOpen(tid, 0)
	}
	if err != nil {
		return errors.Is(err, unix.ESRCH)
	}
	defer unix.Close(fd) //nolint:errcheck // only looked at
	n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 0)
	return err == nil && n > 0
}
