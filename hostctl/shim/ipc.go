package shim

import "golang.org/x/sys/unix"

// ownIPC gives the calling thread, and all that it starts, shared memory, semaphores and message queues of
// their own (System V and POSIX queues). They would otherwise outlive the task: its memory limit ends with its
// cgroup, and the segments that it leaves take memory until the host restarts. The next task would find them
// under the same keys, too.
//
// The kernel removes all of them with the last process. Only root may ask for that; the tasks of another agent,
// and of a kernel without IPC namespaces, share the host's.
func ownIPC() { _ = unix.Unshare(unix.CLONE_NEWIPC) }
