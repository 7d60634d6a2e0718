package cgroup

import (
	"errors"
	"fmt"
	"slices"
)

// Recreate makes the slot's groups again that were removed, with the groups above them, and reports
// whether any was missing. The kernel lets any process with the rights remove an empty group, and
// some tools do. A process that has opened a removed group, as a shim has, must open the new one.
// The slot's limits start anew.
func (s *Slot) Recreate() (recreated bool, err error) {
	if complete(s) {
		return false, nil
	}
	if err := s.tree.recreate(); err != nil {
		return true, fmt.Errorf("make cgroups anew: %w", err)
	}
	for _, d := range s.dirs() {
		if _, e := d.make(); e != nil {
			err = errors.Join(err, fmt.Errorf("make cgroups anew: %w", e))
		}
		s.tree.Settings.forget(d)
		s.tree.Settings.learnGroup(d)
	}
	return true, err
}

// complete reports whether all groups are there that the slot's tasks and its shim join.
func complete(s *Slot) bool {
	groups := s.dirs()
	for _, path := range slices.Concat(s.Joins(), s.ShimJoins(), []string{s.ShimGroup()}) {
		if path != "" {
			groups = append(groups, dir(path))
		}
	}
	return !slices.ContainsFunc(groups, func(d dir) bool { return !d.exists() })
}

// recreate makes the groups above the slots, and gives new ones what they are not born with.
func (t *Tree) recreate() error {
	class, cores := t.caps.class(), t.caps.Cores
	classless := class.OK() && !t.parent(class).exists()
	coreless := cores.Version == 1 && !t.in(cores).exists()
	err := t.make()
	if t.ordinary != "" {
		_, missing := t.ordinary.make()
		err = errors.Join(err, missing)
	}
	if classless {
		err = errors.Join(err, ifPresent(t.SetIdle(true)))
	}
	if coreless {
		err = errors.Join(err, t.openCores())
	}
	return err
}
