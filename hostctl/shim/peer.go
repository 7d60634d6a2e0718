package shim

import (
	"slices"

	"golang.org/x/sys/unix"
)

// ofTask reports whether a connection comes from what the task has started, or
// from who cannot be told any more. A task that runs as the agent's user could
// speak to its own shim, and order one without bounds.
func (s *server) ofTask(fd int) bool {
	peer, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil || startTime(int(peer.Pid)) == "" {
		return true
	}
	return s.task != nil && slices.Contains(descendants(), int(peer.Pid))
}
