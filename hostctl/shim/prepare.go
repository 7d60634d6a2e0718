package shim

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"lull/hostctl/contain"
)

const (
	ioprioWhoProcess = 1
	ioprioIdle       = 3 << 13 // IOPRIO_CLASS_IDLE, see ioprio_set(2)

	shimScore = "-1000" // the OOM killer never takes the shim …
	taskScore = "500"   // … and tasks before anything of the primary's
)

// prepare sets what the process passes on to tasks (what a thread does is in
// thread.go), and opens the slot's cgroups.
func (s *server) prepare() error {
	unix.Umask(0o022)
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("become the subreaper of the tasks: %w", err)
	}
	if err := s.limit(); err != nil {
		return err
	}
	s.abi = contain.ABI()
	if s.background {
		niceSession()
	}
	s.guard()
	return s.enter()
}

// yield gives the disk, and without an idle cgroup the CPU, to everybody else,
// on the part of the calling thread and what it starts.
func (s *server) yield() error {
	if _, _, errno := unix.Syscall(unix.SYS_IOPRIO_SET, ioprioWhoProcess, 0, ioprioIdle); errno != 0 {
		return fmt.Errorf("take the idle I/O class: %w", errno)
	}
	if !s.background {
		return nil
	}
	attr := unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_IDLE, Nice: 19}
	if err := unix.SchedSetAttr(0, &attr, 0); err != nil {
		return fmt.Errorf("take SCHED_IDLE: %w", err)
	}
	return nil
}

// guard keeps the OOM killer off the shim as far as we may: a lower score than
// one's own needs CAP_SYS_RESOURCE. Back to one's own leads without it, too.
func (s *server) guard() {
	fd, err := unix.Open("/proc/self/oom_score_adj", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return
	}
	n, err := unix.Pread(fd, s.buf, 0)
	if err != nil {
		n = 0
	}
	s.score, s.calm = fd, strings.TrimSpace(string(s.buf[:n]))
	if _, err := unix.Pwrite(fd, []byte(shimScore), 0); err == nil {
		s.calm = shimScore
	}
}

// enter opens the slot's cgroups.
func (s *server) enter() (err error) {
	if s.options.unified != "" {
		s.unified, err = unix.Open(s.options.unified, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			return fmt.Errorf("open cgroup %s: %w", s.options.unified, err)
		}
	}
	for _, dir := range paths(s.joins) {
		if err := s.openDoor(dir); err != nil {
			return fmt.Errorf("open cgroup: %w", err)
		}
	}
	if s.options.oom != "" {
		if s.oom, err = unix.Open(s.options.oom, unix.O_RDONLY|unix.O_CLOEXEC, 0); err != nil {
			return fmt.Errorf("watch %s: %w", s.options.oom, err)
		}
	}
	return nil
}

// door is where a thread enters a v1 cgroup, by writing "0".
type door struct {
	fd int
	// bounded says that what a task uses up there, its shim must not lack: a Go
	// program that is refused a thread ends, one without memory cannot tell how the
	// task ended, and one that is frozen hears nothing.
	bounded bool
}

// openDoor prepares for the threads of the shim that enter a v1 cgroup: those that
// fork go everywhere, since children inherit it, those that work for a task where
// nothing is bounded but speed. The shim itself stays outside, with the CPU it needs
// to hear that it shall kill.
func (s *server) openDoor(dir string) error {
	fd, err := unix.Open(filepath.Join(dir, "tasks"), unix.O_WRONLY|unix.O_CLOEXEC, 0)
	d := door{fd: fd}
	for _, bound := range []string{"pids.max", "memory.limit_in_bytes", "freezer.state"} {
		if _, err := os.Stat(filepath.Join(dir, bound)); err == nil {
			d.bounded = true
		}
	}
	s.doors = append(s.doors, d)
	return err
}

// paths splits a list of cgroups.
func paths(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ':' })
}
