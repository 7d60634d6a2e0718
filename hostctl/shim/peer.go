package shim

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"
)

// Kill kills the shim that listens in a folder, for a client that had no answer from it. What it ran
// is left to be killed.
func Kill(dir string) error {
	err := withSocketPath(dir, func(path string) error {
		fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
		if err != nil {
			return err
		}
		defer unix.Close(fd) //nolint:errcheck // nothing was written
		if err := unix.Connect(fd, &unix.SockaddrUnix{Name: path}); err != nil {
			return err
		}
		listener, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
		if err != nil {
			return err
		}
		return unix.Kill(int(listener.Pid), unix.SIGKILL) // it lives: it listens
	})
	if err != nil {
		return fmt.Errorf("kill the shim in %s: %w", dir, err)
	}
	return nil
}

// ofTask reports whether a connection comes from a task's process, or from a sender that is
// already gone and cannot be identified. A task that runs as the agent's user could connect to its
// own shim, or to that of another slot, and order a task without bounds.
func ofTask(fd int) bool {
	peer, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil || startTime(int(peer.Pid)) == "" {
		return true
	}
	ours := ancestors(os.Getpid())[1:] // a shim among them runs the task in which the agent is
	return slices.ContainsFunc(ancestors(int(peer.Pid)), func(pid int) bool {
		return pid == os.Getpid() || isShim(pid) && !slices.Contains(ours, pid)
	})
}

// ancestors returns a process, its parent, the parent's parent and so on. A shim is the subreaper of what
// its tasks start, so it is an ancestor of all of that.
func ancestors(pid int) []int {
	all := []int{pid}
	for {
		fields := stat(pid)
		if fields == nil {
			return all
		}
		parent, err := strconv.Atoi(fields[1])
		if err != nil || parent < 1 || slices.Contains(all, parent) {
			return all
		}
		all, pid = append(all, parent), parent
	}
}

// isShim reports whether a process has a shim's command line (see options).
func isShim(pid int) bool {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return bytes.Contains(b, []byte("\x00-dir=")) && bytes.Contains(b, []byte("\x00-unified="))
}
