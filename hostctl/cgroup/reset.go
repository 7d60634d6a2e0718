package cgroup

import (
	"context"
	"errors"
)

// reset writes the state that an agent starts from and leaves behind: the idle class on, every
// core, nothing frozen, no cap, no bound of memory or disk. An agent that died may have left any of
// them otherwise, even a limit lowered for a moment to reclaim. Limits of slots stay, because
// adopted tasks count on them.
func (t *Tree) reset() error {
	err := errors.Join(
		ifPresent(t.SetIdle(true)),
		t.openCores(),
		ifPresent(t.SetCores(t.caps.CPUs)),
		t.freeMemory(),
		t.freeDisks(),
	)
	for _, n := range t.Slots() {
		s, missing := t.Slot(n)
		if missing == nil {
			missing = errors.Join(ifPresent(s.SetCap(0)), ifPresent(s.Thaw(context.Background()))) // which waits for nothing
		}
		err = errors.Join(err, missing)
	}
	return err
}

// freeMemory lifts what bounds the memory of all slots together.
func (t *Tree) freeMemory() error {
	err := ifPresent(t.SetMemoryHigh(0))
	if m := t.caps.Reclaim; m.Version == 1 {
		err = errors.Join(err, t.Settings.set(t.in(m), []string{m.File}, func() error { return t.in(m).write(m.File, "-1") }))
	}
	return err
}

// ifPresent drops the complaint that a host has no such mechanism.
func ifPresent(err error) error {
	if errors.Is(err, ErrAbsent) {
		return nil
	}
	return err
}
