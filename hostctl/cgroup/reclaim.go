package cgroup

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// ErrHeld says that the kernel found less to give back than was asked for: the
// rest is in use.
var ErrHeld = errors.New("the tasks use the rest")

// SetMemoryHigh sets how many bytes the agent's tasks may use before the kernel reclaims their page
// cache and slows them down. 0 lifts the bound.
//
// On v1 this is the soft limit. It slows no process; it only ranks the group for reclaim once the
// whole host is short. Reclaim frees memory earlier.
func (t *Tree) SetMemoryHigh(bytes int64) error {
	m := t.caps.Memory
	if !m.OK() {
		return fmt.Errorf("memory to keep below: %w", ErrAbsent)
	}
	file := map[int]string{1: "memory.soft_limit_in_bytes", 2: "memory.high"}[m.Version]
	unlimited := map[int]string{1: "-1", 2: "max"}[m.Version]
	return t.Settings.set(t.in(m), []string{file}, func() error { return t.in(m).write(file, orMax(bytes, unlimited)) })
}

// Reclaim makes the kernel take this many bytes back from the agent's tasks, mostly page cache, and
// returns when that is done. It returns ErrHeld if there was less to take.
func (t *Tree) Reclaim(bytes int64) (err error) {
	switch m := t.caps.Reclaim; {
	case bytes <= 0:
		return nil
	case m.Version == 1:
		err = t.Settings.briefly(t.in(m), m.File, func() error { return reclaimV1(t.in(m), bytes) })
	case m.Version == 2:
		err = t.in(m).write(m.File, orMax(bytes, "0"))
	default:
		err = ErrAbsent
	}
	if errors.Is(err, unix.EBUSY) || errors.Is(err, unix.EAGAIN) {
		err = ErrHeld
	}
	if err != nil {
		return fmt.Errorf("reclaim %d bytes of memory: %w", bytes, err)
	}
	return nil
}

// reclaimV1 lowers the agent's limit, which has the kernel reclaim until usage
// is below and only then take the limit, and lifts it at once. So no task meets
// the limit for long enough to be killed for it: one that does reclaims first
// and looks again. (memory.force_empty does more harm: it refuses a group with
// tasks in it, and would take all their cache.)
func reclaimV1(d dir, bytes int64) error {
	usage, err := d.number("memory.usage_in_bytes")
	if err != nil {
		return err
	}
	const page = 4096
	lowered := d.write("memory.limit_in_bytes", orMax(max(int64(usage)-bytes, page), "-1"))
	return errors.Join(lowered, d.write("memory.limit_in_bytes", "-1"))
}
