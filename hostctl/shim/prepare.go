package shim

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
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
// thread.go), and joins the slot's v1 cgroups.
func (s *server) prepare() error {
	unix.Umask(0o022)
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("become the subreaper of the tasks: %w", err)
	}
	if err := s.limit(); err != nil {
		return err
	}
	s.abi = contain.ABI()
	if err := s.yield(); err != nil {
		return err
	}
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

// enter opens the slot's v2 cgroup and joins its v1 cgroups.
func (s *server) enter() (err error) {
	if s.options.unified != "" {
		s.unified, err = unix.Open(s.options.unified, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			return fmt.Errorf("open cgroup %s: %w", s.options.unified, err)
		}
	}
	for _, dir := range s.joined() {
		if err := s.join(dir); err != nil {
			return fmt.Errorf("join cgroup: %w", err)
		}
	}
	if s.options.oom != "" {
		if s.oom, err = unix.Open(s.options.oom, unix.O_RDONLY|unix.O_CLOEXEC, 0); err != nil {
			return fmt.Errorf("watch %s: %w", s.options.oom, err)
		}
	}
	return nil
}

// join puts us into a v1 cgroup: as a whole, but where memory or processes are
// limited only the threads that fork will go, which children inherit. A task
// that has used a limit up shall not leave us without: a Go program that is
// refused a thread ends, and one without memory cannot tell how the task ended.
func (s *server) join(dir string) error {
	for _, limit := range []string{"pids.max", "memory.limit_in_bytes"} {
		if _, err := os.Stat(filepath.Join(dir, limit)); err == nil {
			fd, err := unix.Open(filepath.Join(dir, "tasks"), unix.O_WRONLY|unix.O_CLOEXEC, 0)
			s.limited = append(s.limited, fd)
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, "cgroup.procs"), []byte(strconv.Itoa(os.Getpid())), 0)
}

// joined lists the v1 cgroups that the shim shares with its tasks.
func (s *server) joined() []string {
	return strings.FieldsFunc(s.joins, func(r rune) bool { return r == ':' })
}
