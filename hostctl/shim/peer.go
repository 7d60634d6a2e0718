package shim

import (
	"fmt"
	"slices"

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

// ofTask reports whether a connection comes from the task's processes, or from a sender that is
// already gone and cannot be identified. A task that runs as the agent's user could connect to its
// own shim, and order a task without bounds.
func (s *server) ofTask(fd int) bool {
	peer, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil || startTime(int(peer.Pid)) == "" {
		return true
	}
	return s.task != nil && slices.Contains(descendants(), int(peer.Pid))
}
