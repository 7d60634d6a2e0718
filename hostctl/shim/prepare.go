package shim

import (
	"fmt"
	"strings"

	"golang.org/x/sys/unix"

	"lull/hostctl/contain"
	"lull/hostctl/recede"
)

const (
	shimScore = "-1000" // the OOM killer never takes the shim …
	taskScore = "500"   // … and tasks before anything of the primary's
)

// prepare sets what the process passes on to tasks (what a thread does is in
// thread.go), and opens the slot's cgroups.
func (f *forker) prepare() error {
	unix.Umask(0o022)
	restoreSignals()
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("become the subreaper of the tasks: %w", err)
	}
	if err := f.limit(); err != nil {
		return err
	}
	f.abi = contain.ABI()
	if f.background {
		recede.Session()
	}
	f.guard()
	return f.reopenGroups()
}

// yield makes the calling thread and what it starts yield the disk, and without an idle cgroup the
// CPU, to all other threads.
func (f *forker) yield() error {
	err := recede.Disk(0)
	if err == nil && f.background {
		err = recede.CPU(0)
	}
	return err
}

// guard keeps the OOM killer off the shim as far as we may: a lower score than
// one's own needs CAP_SYS_RESOURCE. Back to one's own leads without it, too.
func (f *forker) guard() {
	fd, err := unix.Open("/proc/self/oom_score_adj", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return
	}
	b := make([]byte, 16)
	n, err := unix.Pread(fd, b, 0)
	if err != nil {
		n = 0
	}
	f.score, f.ownScore = fd, strings.TrimSpace(string(b[:n]))
	if _, err := unix.Pwrite(fd, []byte(shimScore), 0); err == nil {
		f.ownScore = shimScore
	}
}
