package shim

import (
	"fmt"

	"golang.org/x/sys/unix"

	"lull/hostctl/cgroup"
	"lull/hostctl/contain"
)

// onThrowawayThread calls fork on a new thread that has the task's restrictions, and waits. A thread never gets
// back what a fence or no_new_privs took, and the next task has other folders. So the thread ends
// with the call.
func (f *forker) onThrowawayThread(t *task, fork func() error) error {
	var own []int
	if f.shm.open(&t.Task) {
		own = []int{f.shm.folder}
	}
	fence, err := f.fence(t.Bounds, own...)
	if err != nil {
		return err
	}
	err = cgroup.OnThread(func() error {
		defer f.leave()
		if own != nil {
			f.shm.enter()
		}
		if err := f.bind(t.Bounds, fence); err != nil {
			return err
		}
		return fork()
	})
	if fence >= 0 {
		_ = unix.Close(fence)
	}
	return err
}

// fence makes the fence of a task, -1 for none. That must not be done behind it. folders are open ones that the task may
// write to as well.
func (f *forker) fence(b Bounds, folders ...int) (int, error) {
	if b.Unfenced || f.abi == 0 {
		return -1, nil
	}
	if !f.hidden.Same(b.Hide) {
		f.hidden.Close()
		f.hidden = nil
		if len(b.Hide) > 0 {
			f.hidden = contain.Hide(b.Hide)
		}
	}
	fd, err := contain.Fence(f.abi, contain.Access{Write: b.Write, Folders: folders, Read: b.Read, Hidden: f.hidden})
	if err != nil {
		return -1, fmt.Errorf("%w: %w", errBounds, err)
	}
	return fd, nil
}

// behindFence calls f on a thread that can read only what the task can, and waits. The thread ends with the
// call.
func (f *forker) behindFence(b Bounds, do func() error) error {
	fence, err := f.fence(b)
	if err != nil {
		return err
	}
	if fence < 0 {
		return do()
	}
	defer unix.Close(fence) //nolint:errcheck // nothing was written
	return cgroup.OnThread(func() error {
		err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
		if err == nil {
			err = contain.Restrict(fence)
		}
		if err != nil {
			return fmt.Errorf("%w: %w", errBounds, err)
		}
		return do()
	})
}

// bind takes on what the task inherits from the thread that forks it.
func (f *forker) bind(b Bounds, fence int) error {
	var err error
	if !b.Unfenced {
		ownIPC()
	}
	if !b.Privileged {
		err = unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
	}
	if err == nil && fence >= 0 {
		err = contain.Restrict(fence)
	}
	if err == nil && f.background {
		err = keepSession()
	}
	if err == nil {
		err = unblockSignals()
	}
	if err == nil {
		err = f.recede(true) // last: from here on it may have to wait for CPU
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errBounds, err)
	}
	return nil
}

// recede puts the calling thread into the background, for good: into the tasks' own
// groups, or only into those that bound nothing but speed.
func (f *forker) recede(all bool) error {
	err := f.yield()
	for _, d := range f.groups.joins {
		if err == nil && (all || !d.bounded) {
			err = d.join()
		}
	}
	return err
}

// leave takes the calling thread out of the groups in which it would be stopped, or could wait long
// for the CPU to end with. Until it has ended it may keep locks of Go's runtime.
func (f *forker) leave() {
	for _, d := range f.groups.leaves {
		_ = d.join() // refused with the group gone: then the slot's is gone, too
	}
}
