package shim

import (
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// groupTimes are what the kernel counted of all processes of the slot's v2 cgroup, those that have ended
// included.
type groupTimes struct {
	run     time.Duration // CPU time
	stalled time.Duration // some process waited for a CPU
}

// groupTimes returns those of the slot's cgroup, false without one, and where the kernel does not account for
// stalls.
func (f *forker) groupTimes() (t groupTimes, ok bool) {
	if f.groups.unified < 0 {
		return t, false
	}
	var ran, stalled bool
	t.run, ran = microsecondsIn(readAt(f.groups.unified, "cpu.stat"), "usage_usec ")
	t.stalled, stalled = microsecondsIn(readAt(f.groups.unified, "cpu.pressure"), "total=")
	return t, ran && stalled
}

// readAt returns the beginning of a file of a folder, "" if there is none.
func readAt(dir int, name string) string {
	fd, err := unix.Openat(dir, name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return ""
	}
	var b [512]byte
	n, _ := unix.Pread(fd, b[:], 0)
	_ = unix.Close(fd)
	return string(b[:max(n, 0)])
}

// microsecondsIn returns the number of microseconds that follows the first occurrence of a key.
func microsecondsIn(text, key string) (time.Duration, bool) {
	_, text, ok := strings.Cut(text, key)
	if !ok {
		return 0, false
	}
	text, _, _ = strings.Cut(text, "\n")
	n, err := strconv.ParseInt(text, 10, 64)
	return time.Duration(n) * time.Microsecond, err == nil
}
