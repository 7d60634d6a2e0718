package cgroup

import (
	"context"
	"fmt"
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
	caps     Capabilities
	name     string
	mounts   []dir    // with a group a slot, v2 first
	shared   []dir    // v1, with one group for all slots
	ordinary dir      // of ordinary weight, for shims; "" if there is none
	disk     string   // of Disk, as major:minor
	Settings Settings // what the groups were given
}

// Open makes the groups of the agent with this name, or takes over the groups and processes that a
// dead agent left. It puts the shared parent into the idle class, or gives it the smallest weight
// where there is no such class. It lifts every bound of the dead agent except the limits of slots.
func Open(caps Capabilities, name string) (*Tree, error) {
	if name == "" || strings.ContainsAny(name, "/\n") || strings.HasPrefix(name, ".") {
		return nil, fmt.Errorf("cgroup name %q: use letters, digits and dashes", name)
	}
	t := &Tree{caps: caps, name: name, mounts: caps.mounts(), shared: caps.shared()}
	if err := t.make(); err != nil {
		return nil, err
	}
	t.makeOrdinary()
	if err := t.reset(); err != nil {
		return nil, fmt.Errorf("put batch work into the background: %w", err)
	}
	return t, nil
}

// make makes the agent's groups, but those of its slots and OrdinaryParent.
func (t *Tree) make() error {
	for _, m := range slices.Concat(t.mounts, t.shared) {
		if _, err := m.sub(Parent).sub(t.name).make(); err != nil {
			return fmt.Errorf("make the agent's cgroup: %w", err)
		}
	}
	if u := t.caps.unified(); u != "" {
		t.Settings.delegate(u.sub(Parent))
		t.Settings.delegate(u.sub(Parent).sub(t.name))
		if _, err := u.sub(Parent).sub(t.name).sub(shims).make(); err != nil {
			return fmt.Errorf("make the shims' cgroup: %w", err)
		}
	}
	if err := boundProcesses(t); err != nil {
		return fmt.Errorf("bound the processes of all tasks: %w", err)
	}
	for _, m := range slices.Concat(t.mounts, t.shared) {
		t.Settings.learnGroup(m.sub(Parent).sub(t.name))
	}
	return nil
}

// Left reports whether an agent with this name left groups behind.
func Left(caps Capabilities, name string) bool {
	t := &Tree{caps: caps, name: name, mounts: caps.mounts()}
	return len(t.Slots()) > 0
}

// shims is the group of the processes that run the tasks. It is beside the slots, so that freezing
// or killing a slot does not reach them. It is outside the agent's own group, so that stopping the
// agent's service does not either. It exists in the hierarchy of the class (see OrdinaryParent) and in the
// v2 one.
const shims = "shims"

// mounts lists the hierarchies with a group a slot, v2 first, each once.
func (c Capabilities) mounts() []dir {
	return append(c.using(func(m Mechanism, _ detector) bool { return m.Version == 2 }),
		c.using(func(m Mechanism, w detector) bool { return m.Version == 1 && !w.shared })...)
}

// shared lists the v1 hierarchies with one group for all slots, each once.
func (c Capabilities) shared() []dir {
	return c.using(func(m Mechanism, w detector) bool { return m.Version == 1 && w.shared })
}

// using lists the hierarchies of the capabilities that match, each once.
func (c Capabilities) using(match func(Mechanism, detector) bool) (found []dir) {
	for _, w := range detectors {
		if m := *w.into(&c); m.OK() && match(m, w) && !slices.Contains(found, dir(m.Mount)) {
			found = append(found, dir(m.Mount))
		}
	}
	return found
}

// unified is the v2 hierarchy, "" if there is none to use.
func (c Capabilities) unified() dir {
	for _, w := range detectors {
		if m := *w.into(&c); m.OK() && m.Version == 2 {
			return dir(m.Mount)
		}
	}
	return ""
}

// parent is the group of all agents in the hierarchy of a mechanism.
func (t *Tree) parent(m Mechanism) dir { return dir(m.Mount).sub(Parent) }

// in is the agent's group in the hierarchy of a mechanism.
func (t *Tree) in(m Mechanism) dir { return t.parent(m).sub(t.name) }

// Usage returns the CPU seconds and the bytes used by all of lull's groups, including shims and
// other agents. Both are 0 where the host has no account of them. CPU seconds start again at 0
// after the last agent has removed the parent.
func (t *Tree) Usage() (cpuSeconds float64, memory int64, err error) {
	cpuSeconds, memory, err = t.caps.usage(t.parent)
	more, bytes, missing := t.caps.accountedInClass().usage(func(m Mechanism) dir { return dir(m.Mount).sub(OrdinaryParent) })
	if missing != nil { // another agent may just be making it
		more, bytes = 0, 0
	}
	return cpuSeconds + more, memory + bytes, err
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

// Alone reports whether no other agent has groups on this host: the class belongs to all of them.
func Alone(t *Tree) bool {
	groups, _ := filepath.Glob(string(t.parent(t.caps.class())) + "/*/cgroup.procs")
	return len(groups) <= 1
}

// Remove removes the agent's groups, and the parent if no other agent uses it.
// A process that was just killed may hold its group for a moment; until ctx
// ends it is tried again.
func (t *Tree) Remove(ctx context.Context) error {
	_ = t.reset() // the parent may stay, for other agents; of ours some may be gone
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		left := t.remove()
		if len(left) == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%d cgroups are left, because something still runs in them; the first: %w", len(left), left[0])
		case <-time.After(wait):
		}
	}
}

// remove returns an error for each group that is left.
func (t *Tree) remove() (left []error) {
	for _, m := range slices.Concat(t.mounts, t.shared) {
		left = append(left, m.sub(Parent).sub(t.name).removeWithin()...)
		_ = m.sub(Parent).remove() // another agent's groups keep it
	}
	if t.ordinary != "" {
		left = append(left, t.ordinary.removeWithin()...)
		_ = dir(filepath.Dir(string(t.ordinary))).remove() // likewise
	}
	return left
}
