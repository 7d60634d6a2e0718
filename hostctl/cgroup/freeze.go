package cgroup

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"
)

// Freeze stops every process of the slot and returns when all have stopped. With the v1 freezer the
// shim in the slot stops too: it answers nothing until Thaw, and messages to it wait in its socket.
// Frozen processes keep their memory.
func (s *Slot) Freeze(ctx context.Context) error { return s.freeze(ctx, true) }

// Thaw lets the slot's processes continue.
func (s *Slot) Thaw(ctx context.Context) error { return s.freeze(ctx, false) }

// freeze sets the state and waits until it is so.
// The kernel stops a process at its next return to user space, so there is a
// wait even when all goes well.
func (s *Slot) freeze(ctx context.Context, stop bool) error {
	m := s.tree.caps.Freeze
	if !m.OK() {
		return fmt.Errorf("freeze: %w", ErrAbsent)
	}
	d := s.in(m)
	for wait := 200 * time.Microsecond; ; wait = min(2*wait, 10*time.Millisecond) {
		// Written in each round: if a process forks meanwhile, the v1 freezer can stay at FREEZING
		// until the next write.
		if err := writeFrozen(d, m.Version, stop); err != nil {
			return err
		}
		frozen, err := readFrozen(d, m.Version)
		if err != nil || frozen == stop || !stop {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("freeze %s: a process does not stop: it waits for the kernel, or for a CPU that the primary uses: %w", d, ctx.Err())
		case <-time.After(wait):
		}
	}
}

// writeFrozen skips a v2 group that has the wanted state already; KillAll says why.
func writeFrozen(d dir, version int, stop bool) error {
	words := map[int]map[bool]string{1: {true: "FROZEN", false: "THAWED"}, 2: {true: "1", false: "0"}}
	files := map[int]string{1: "freezer.state", 2: "cgroup.freeze"}
	word := words[version][stop]
	if version == 2 {
		if state, err := readWord(d, files[version]); err == nil && state == word {
			return nil
		}
	}
	return d.write(files[version], word)
}

func readFrozen(d dir, version int) (bool, error) {
	if version == 2 {
		n, err := d.key("cgroup.events", "frozen")
		return n == 1, err
	}
	state, err := readWord(d, "freezer.state")
	return state == "FROZEN", err
}

func readWord(d dir, file string) (string, error) {
	return readFile(d, file, func(r io.Reader) (string, error) {
		b, err := io.ReadAll(io.LimitReader(r, 64))
		return strings.TrimSpace(string(b)), err
	})
}

// Frozen reports whether the kernel holds all that is in the slot. It fails with ErrAbsent
// where the slot cannot be frozen.
func (s *Slot) Frozen() (bool, error) {
	m := s.tree.caps.Freeze
	if !m.OK() {
		return false, ErrAbsent
	}
	return readFrozen(s.in(m), m.Version)
}
