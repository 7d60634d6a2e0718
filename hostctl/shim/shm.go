package shim

import (
	"errors"
	"slices"

	"golang.org/x/sys/unix"

	"lull/hostctl/cgroup"
	"lull/hostctl/contain"
	"lull/subjects/spec"
)

// sharedFolder is where the C library keeps POSIX semaphores and shared memory: those of Python's multiprocessing, for
// instance.
const sharedFolder = "/dev/shm"

// ownShm is a /dev/shm of the slot's own, in a mount namespace that its tasks enter one after the other. In the host's
// one, what a task leaves would take memory until the host restarts, and tasks could change what is the primary's.
//
// The namespace is kept from task to task, because making one takes longer than entering it. It is given up when a task
// has left anything in it: the kernel then frees that with the last process. It is given up, too, when the host's mounts
// have changed, so that tasks see the new ones.
//
// Only root may make namespaces. The tasks of another agent have no /dev/shm to write to, unless --task-write names it.
type ownShm struct {
	space  int // descriptor of the mount namespace, -1 for none
	folder int // descriptor of its /dev/shm
	mounts int // descriptor of the host's mountinfo, on which the kernel reports changes
	denied bool
}

func noShm() ownShm { return ownShm{space: -1, folder: -1, mounts: -1} }

// open makes the namespace unless it is there. It reports whether a task gets it.
func (m *ownShm) open(t *Task) bool {
	if t.Bounds.Unfenced || m.denied || t.usesShared() {
		return false
	}
	if m.space >= 0 && !m.hostChanged() {
		return true
	}
	m.close()
	m.mounts, _ = unix.Open("/proc/self/mountinfo", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err := cgroup.OnThread(m.make); err != nil {
		m.close()
		m.denied = errors.Is(err, unix.EPERM)
		return false
	}
	return true
}

// usesShared reports whether a task needs the host's /dev/shm: it may write to it or to a part of it, or has its folder or
// its input there.
func (t *Task) usesShared() bool {
	inShared := func(path string) bool { return contain.Within(sharedFolder, path) }
	return slices.ContainsFunc(t.Bounds.Write, func(folder string) bool { return contain.Within(folder, sharedFolder) || inShared(folder) }) ||
		inShared(t.Dir) || inShared(t.Stdin.File) || slices.ContainsFunc(t.Stdin.Ranges, func(r spec.Range) bool { return inShared(r.Path) })
}

// make puts the calling thread, which must end afterwards, into a new mount namespace. What the host mounts later is
// seen in it, and nothing of it on the host.
func (m *ownShm) make() (err error) {
	if err := unix.Unshare(unix.CLONE_NEWNS); err != nil {
		return err
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_SLAVE, ""); err != nil {
		return err
	}
	if err := unix.Mount("tmpfs", sharedFolder, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=1777"); err != nil {
		return err
	}
	if m.space, err = unix.Open("/proc/thread-self/ns/mnt", unix.O_RDONLY|unix.O_CLOEXEC, 0); err != nil {
		return err
	}
	m.folder, err = unix.Open(sharedFolder, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	return err
}

// enter puts the calling thread, and what it starts, into the namespace. Where that is refused, the task runs without: its
// fence keeps it from the host's folder.
func (m *ownShm) enter() {
	if unix.Unshare(unix.CLONE_FS) == nil { // setns(2) wants a thread with a working folder of its own
		_ = unix.Setns(m.space, unix.CLONE_NEWNS)
	}
}

// clear makes the namespace ready for the next task. used says that the last task may still use it, or changed it.
func (m *ownShm) clear(used bool) {
	if m.space >= 0 && (used || !m.empty()) {
		m.close()
	}
}

// empty reports whether nothing was left in the folder.
func (m *ownShm) empty() bool {
	var entries [4096]byte
	if _, err := unix.Seek(m.folder, 0, unix.SEEK_SET); err != nil {
		return false
	}
	n, err := unix.ReadDirent(m.folder, entries[:])
	if err != nil {
		return false
	}
	_, found, _ := unix.ParseDirent(entries[:n], 1, nil)
	return found == 0
}

// hostChanged reports whether the host's mounts have changed since the last call.
func (m *ownShm) hostChanged() bool {
	fds := []unix.PollFd{{Fd: int32(m.mounts), Events: unix.POLLPRI}}
	n, err := unix.Poll(fds, 0)
	return err != nil || n > 0
}

func (m *ownShm) close() {
	for _, fd := range []*int{&m.space, &m.folder, &m.mounts} {
		if *fd >= 0 {
			_ = unix.Close(*fd)
		}
		*fd = -1
	}
}
