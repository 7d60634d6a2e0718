package cgroup

import (
	"errors"
	"iter"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// threads are those of the processes that are there.
func threads(pids []int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for _, pid := range pids {
			list, _ := os.ReadDir("/proc/" + strconv.Itoa(pid) + "/task") // gone: all the better
			for _, thread := range list {
				if tid, err := strconv.Atoi(thread.Name()); err == nil && !yield(tid) {
					return
				}
			}
		}
	}
}

// ended says whether a thread is a zombie or gone. What /proc says of it would be to wait
// for, with those who hold its memory or its locks. Before Linux 6.9 a first thread that
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
