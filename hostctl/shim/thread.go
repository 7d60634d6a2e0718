package shim

import (
	"fmt"

	"golang.org/x/sys/unix"

	"lull/hostctl/cgroup"
	"lull/hostctl/contain"
)

// apart calls fork on a new thread that is bound as the task shall be, and
// waits. What a fence or no_new_privs took from a thread never comes back, and
// the next task has other folders: so the thread ends with the call.
func (s *server) apart(t *task, fork func() error) error {
	fence, err := s.fence(t.Bounds)
	if err != nil {
		return err
	}
	err = cgroup.OnThread(func() error {
		defer s.leave()
		if err := s.bind(t.Bounds, fence); err != nil {
			return err
		}
		return fork()
	})
	if fence >= 0 {
		_ = unix.Close(fence)
	}
	return err
}

// fence makes the fence of a task, -1 for none. That must not be done behind it.
func (s *server) fence(b Bounds) (int, error) {
	if b.Unfenced || s.abi == 0 {
		return -1, nil
	}
	fd, err := contain.Fence(s.abi, b.Write)
	if err != nil {
		return -1, fmt.Errorf("%w: %w", errBounds, err)
	}
	return fd, nil
}

// bind takes on what the task inherits from the thread that forks it.
func (s *server) bind(b Bounds, fence int) error {
	var err error
	if !b.Privileged {
		err = unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
	}
	if err == nil && fence >= 0 {
		err = contain.Restrict(fence)
	}
	if err == nil && s.background {
		err = keepSession()
	}
	if err == nil {
		err = s.recede(true) // last: from here on it may have to wait for CPU
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errBounds, err)
	}
	return nil
}

// recede puts the calling thread into the background, for good: into the tasks' own
// groups, or only into those that bound nothing but speed.
func (s *server) recede(all bool) error {
	err := s.yield()
	for _, d := range s.groups.doors {
		if err == nil && (all || !d.bounded) {
			err = d.pass()
		}
	}
	return err
}

// leave takes the calling thread out of the groups in which it would be stopped, or could
// wait long for the CPU to end with: until then it may hold locks of Go's.
func (s *server) leave() {
	for _, d := range s.groups.exits {
		_ = d.pass() // refused with the group gone: then the slot's is gone, too
	}
}
