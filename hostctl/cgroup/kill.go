package cgroup

import (
	"context"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// Kill kills every process of the slot but those in except, also what they
// forked and what made itself a daemon, frozen or not, and returns when nobody
// is left. The slot is thawed afterwards. If ctx ends first, the error names
// the processes that are still there.
func (s *Slot) Kill(ctx context.Context, except ...int) error {
	for wait := 100 * time.Microsecond; ; wait = min(2*wait, 20*time.Millisecond) {
		left, err := s.others(except)
		if err != nil {
			return err
		}
		if len(left) == 0 {
			return s.thaw(ctx)
		}
		if err := s.strike(ctx, except); err != nil {
			return fmt.Errorf("kill the processes of %s: %w", s.name, err)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("kill: processes %v of %s do not end: %w", left, s.name, ctx.Err())
		case <-time.After(wait):
		}
	}
}

// strike kills all that is there now. Where the kernel cannot kill a group in
// one go, the group is frozen first, so that nobody forks away from the list;
// a frozen process of the v1 freezer dies only when it thaws. A freezer that
// does not settle is no reason to wait: the caller's loop meets new forks.
func (s *Slot) strike(ctx context.Context, except []int) error {
	caps := s.tree.caps
	if caps.Kill.OK() {
		if err := s.in(caps.Kill).write("cgroup.kill", "1"); err != nil {
			return err
		}
	}
	if caps.Freeze.OK() && !caps.Kill.OK() {
		brief, stop := context.WithTimeout(ctx, 100*time.Millisecond)
		_ = s.Freeze(brief)
		stop()
	}
	left, err := s.others(except)
	for _, pid := range left {
		_ = unix.Kill(pid, unix.SIGKILL) // gone already: all the better
	}
	if err != nil {
		return err
	}
	return s.thaw(ctx)
}

func (s *Slot) thaw(ctx context.Context) error {
	if !s.tree.caps.Freeze.OK() {
		return nil
	}
	return s.Thaw(ctx)
}

// others lists the slot's processes without those in except.
func (s *Slot) others(except []int) ([]int, error) {
	pids, err := s.Pids()
	return slices.DeleteFunc(pids, func(pid int) bool { return slices.Contains(except, pid) }), err
}
