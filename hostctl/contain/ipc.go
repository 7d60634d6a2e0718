package contain

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// ownIPC returns an error if this process may not give tasks shared memory and a /dev/shm of their own. A thread
// tries it, and ends.
func ownIPC() error {
	tried := make(chan error)
	go func() {
		runtime.LockOSThread()
		if unix.Gettid() == unix.Getpid() { // the process's first thread never ends, and stands for it in /proc
			tried <- ownIPC()
			runtime.UnlockOSThread()
			return
		}
		// Not unlocked: the thread ends with this goroutine.
		tried <- unix.Unshare(unix.CLONE_NEWIPC | unix.CLONE_NEWNS)
	}()
	return <-tried
}

// SharedMemory describes whether what tasks leave in shared memory ends with them on this host.
func SharedMemory() Line { return sharedMemory(ownIPC()) }

// sharedMemory describes that, given why a process has no IPC and mount namespaces of its own; nil if it may have them.
func sharedMemory(missing error) Line {
	const bound = "shared memory"
	if missing != nil {
		return Line{bound, false, "the host's (no namespaces: " + missing.Error() + "): segments that a task leaves stay until a restart, beyond its memory limit, and /dev/shm is closed to tasks without --task-write /dev/shm"}
	}
	return Line{bound, true, "tasks have shared memory, semaphores and a /dev/shm of their own, which end with them"}
}
