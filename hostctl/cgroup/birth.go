package cgroup

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// Groups are what a process is born into: one v2 group, "" for none, and v1 ones.
type Groups struct {
	Unified string
	Joins   []string
}

// Background returns the groups for the agent's own work that must yield to the primary. Its CPU
// time counts as the tasks', and it has no bounds.
func (t *Tree) Background() (g Groups) {
	if u := t.caps.unified(); u != "" {
		g.Unified = string(u.sub(Parent).sub(t.name).sub(shims))
	}
	class, counted := t.caps.class(), t.caps.CPUTime
	if class.Version == 1 {
		g.Joins = append(g.Joins, string(t.in(class)))
	}
	if counted.Version == 1 && counted.Mount != class.Mount {
		g.Joins = append(g.Joins, string(t.in(counted)))
	}
	return g
}

// Start starts a command in groups. No process is moved there later: a move would have to wait for
// every thread of the host that is about to fork or to end (see Dying).
func Start(cmd *exec.Cmd, in Groups) error {
	if in.Unified != "" {
		home, err := os.Open(in.Unified)
		if err != nil {
			return err
		}
		defer home.Close() //nolint:errcheck // read only
		if cmd.SysProcAttr == nil {
			cmd.SysProcAttr = &syscall.SysProcAttr{}
		}
		cmd.SysProcAttr.UseCgroupFD = true
		cmd.SysProcAttr.CgroupFD = int(home.Fd())
	}
	if len(in.Joins) == 0 {
		return cmd.Start()
	}
	return OnThread(func() error {
		for _, group := range in.Joins {
			if err := enterGroup(group); err != nil {
				return fmt.Errorf("join cgroup: %w", err)
			}
		}
		return cmd.Start()
	})
}

// enterGroup puts the calling thread into a v1 cgroup, and what it starts.
func enterGroup(group string) error {
	fd, err := unix.Open(filepath.Join(group, "tasks"), unix.O_WRONLY|unix.O_CLOEXEC, 0)
	if err == nil {
		_, err = unix.Write(fd, []byte("0"))
		_ = unix.Close(fd)
	}
	return err
}

// OnThread calls f on a thread that ends with the call. It is not the process's first
// one: that never ends, and stands for all of them in the lists of cgroups.
func OnThread(f func() error) error {
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // for good: that ends the thread. The first one only stands by, so that f gets another
		if unix.Gettid() != unix.Getpid() {
			done <- f()
			return
		}
		err := OnThread(f)
		runtime.UnlockOSThread()
		done <- err
	}()
	return <-done
}
