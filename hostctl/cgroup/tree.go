package cgroup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Tree is the groups of one agent: <mount>/lull/<name> in each hierarchy that
// carries a capability, and a group per slot below. Its methods may be called
// from several goroutines.
type Tree struct {
	caps   Capabilities
	name   string
	mounts []dir // v2 first
}

// Open makes the groups of the agent with this name, or takes over those that
// a dead one left, with all that runs in them. It puts the shared parent into
// the idle class, or gives it the smallest weight where there is no such class.
func Open(caps Capabilities, name string) (*Tree, error) {
	if name == "" || strings.ContainsAny(name, "/\n") || strings.HasPrefix(name, ".") {
		return nil, fmt.Errorf("cgroup name %q: use letters, digits and dashes", name)
	}
	t := &Tree{caps: caps, name: name, mounts: caps.mounts()}
	for _, m := range t.mounts {
		if _, err := m.sub(Parent).sub(name).make(); err != nil {
			return nil, fmt.Errorf("make the agent's cgroup: %w", err)
		}
	}
	if err := t.yield(); err != nil {
		return nil, fmt.Errorf("put batch work into the background: %w", err)
	}
	if u := caps.unified(); u != "" {
		delegate(u.sub(Parent))
		delegate(u.sub(Parent).sub(name))
		if _, err := u.sub(Parent).sub(name).sub(shims).make(); err != nil {
			return nil, fmt.Errorf("make the shims' cgroup: %w", err)
		}
	}
	return t, nil
}

// shims is the v2 group of the processes that run the tasks: beside the slots,
// so that neither freezing nor killing a slot reaches them, and outside the
// agent's own group, so that stopping the agent's service does not either.
const shims = "shims"

// mounts lists the hierarchies in use, v2 first, each once.
func (c Capabilities) mounts() []dir {
	var found []dir
	for _, version := range []int{2, 1} {
		for _, w := range wants {
			m := *w.into(&c)
			if m.OK() && m.Version == version && !slices.Contains(found, dir(m.Mount)) {
				found = append(found, dir(m.Mount))
			}
		}
	}
	return found
}

// unified is the v2 hierarchy, "" if there is none to use.
func (c Capabilities) unified() dir {
	for _, w := range wants {
		if m := *w.into(&c); m.OK() && m.Version == 2 {
			return dir(m.Mount)
		}
	}
	return ""
}

// yield puts the parent of all agents behind everything else on the host. The
// class belongs there: on a slot it would only rank slots among themselves.
func (t *Tree) yield() error {
	if t.caps.Idle.OK() {
		return t.parent(t.caps.Idle).write(t.caps.Idle.File, "1")
	}
	if !t.caps.Weight.OK() {
		return nil
	}
	least := map[int]string{1: "2", 2: "1"}[t.caps.Weight.Version]
	return t.parent(t.caps.Weight).write(t.caps.Weight.File, least)
}

// parent is the group of all agents in the hierarchy of a mechanism.
func (t *Tree) parent(m Mechanism) dir { return dir(m.Mount).sub(Parent) }

// in is the agent's group in the hierarchy of a mechanism.
func (t *Tree) in(m Mechanism) dir { return t.parent(m).sub(t.name) }

// Usage returns the CPU seconds used so far and the bytes held by all of
// lull's groups, those of other agents included. Both are 0 where the host
// cannot tell. CPU seconds begin again when the last agent removed the parent.
func (t *Tree) Usage() (cpuSeconds float64, memory int64, err error) {
	return t.caps.usage(t.parent)
}

// Cap limits the agent's tasks to a number of cores, 0 for no cap. Quota is
// for pace, not for protection: throttled tasks hold locks and caches, and the
// primary's tail got longer with a quota than with the idle class alone.
func (t *Tree) Cap(cores float64) error {
	const period = 100_000 // microseconds, the kernel's default
	quota := max(1000, int64(cores*period))
	switch t.caps.Quota.Version {
	case 1:
		if cores <= 0 {
			quota = -1
		}
		return t.in(t.caps.Quota).write("cpu.cfs_quota_us", strconv.FormatInt(quota, 10))
	case 2:
		if cores <= 0 {
			return t.in(t.caps.Quota).write("cpu.max", "max "+strconv.Itoa(period))
		}
		return t.in(t.caps.Quota).write("cpu.max", fmt.Sprintf("%d %d", quota, period))
	}
	return fmt.Errorf("cap the CPU: %w", ErrAbsent)
}

// Slots lists the numbers of the slots that have a group, also those that an
// earlier agent with more slots left behind.
func (t *Tree) Slots() []int {
	var found []int
	for _, m := range t.mounts {
		paths, _ := filepath.Glob(string(m.sub(Parent).sub(t.name)) + "/slot-*")
		for _, p := range paths {
			n, err := strconv.Atoi(strings.TrimPrefix(filepath.Base(p), "slot-"))
			if err == nil && !slices.Contains(found, n) {
				found = append(found, n)
			}
		}
	}
	slices.Sort(found)
	return found
}

// Remove removes the agent's groups, and the parent if no other agent uses it.
// A process that was just killed may hold its group for a moment; until ctx
// ends it is tried again.
func (t *Tree) Remove(ctx context.Context) error {
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		err := t.remove()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("remove cgroups (something still runs in them): %w", err)
		case <-time.After(wait):
		}
	}
}

func (t *Tree) remove() (err error) {
	for _, m := range t.mounts {
		own := m.sub(Parent).sub(t.name)
		entries, _ := os.ReadDir(string(own))
		for _, e := range entries {
			if e.IsDir() {
				err = errors.Join(err, own.sub(e.Name()).remove())
			}
		}
		err = errors.Join(err, own.remove())
		_ = m.sub(Parent).remove() // another agent's groups keep it
	}
	return err
}
