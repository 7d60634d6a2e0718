package cgroup

import (
	"errors"
	"fmt"
	"strconv"

	"golang.org/x/sys/unix"
)

// Beside is the group, beside Parent, of what is lull's and yet must have CPU while
// the primary wants all of it: the shims, who kill, and who was killed. In the
// idle class a fork bomb took 21 s to end beside a primary that
// computed on every core: neither its shim nor the dead got the CPU to finish.
//
// It has the weight of one ordinary service, all agents' shims and dead together.
const Beside = "lull-beside"

// class is the mechanism that puts batch work behind the primary.
func (c Capabilities) class() Mechanism {
	if c.Idle.OK() {
		return c.Idle
	}
	return c.Weight
}

// makeBeside makes the agent's group of ordinary weight, with one for the shims in
// it. Where that is refused (a user to whom Parent alone was given), or nothing
// has a weight, there is none: shims stay where the agent is, and the dead in the
// background.
func (t *Tree) makeBeside() {
	m := t.caps.class()
	if !m.OK() {
		return
	}
	own := dir(m.Mount).sub(Beside).sub(t.name)
	if _, err := own.make(); err != nil {
		return
	}
	if m.Version == 2 {
		delegate(dir(m.Mount).sub(Beside))
		delegate(own)
	}
	if _, err := own.sub(shims).make(); err == nil {
		t.beside = own
	}
}

// Dying is the slot's group of ordinary weight, for those of its processes that
// were killed; "" if there is none.
func (s *Slot) Dying() string {
	if s.tree.beside == "" {
		return ""
	}
	return string(s.tree.beside.sub(s.name))
}

// Slow is the slot's group in the hierarchy of Dying: who is killed in it may
// be long without the CPU to die; "" if there is none.
func (s *Slot) Slow() string {
	if m := s.tree.caps.class(); m.OK() {
		return string(s.in(m))
	}
	return ""
}

// Keeps are the v1 groups that a shim joins, as a whole and for good, by writing its process
// id to cgroup.procs in each: the one of ordinary weight, and what only counts
// the slot's CPU time, because the shim works for its tasks.
func (s *Slot) Keeps() (groups []string) {
	class, counted := s.tree.caps.class(), s.tree.caps.CPUTime
	if class.Version == 1 && s.tree.beside != "" {
		groups = append(groups, string(s.tree.beside.sub(shims)))
	}
	if counted.Version == 1 && counted.Mount != class.Mount {
		groups = append(groups, string(s.in(counted)))
	}
	return groups
}

// Rescue gives the slot's shim ordinary weight with all its threads, also those that
// work in the slot's own group: one that stands still there, behind the primary, can
// hold what the others wait for.
func (s *Slot) Rescue(shim int) error {
	for _, group := range s.Keeps() {
		err := dir(group).write("cgroup.procs", strconv.Itoa(shim))
		if err != nil && !errors.Is(err, unix.ESRCH) { // one that is gone needs nothing
			return fmt.Errorf("rescue the shim of %s: %w", s.name, err)
		}
	}
	return nil
}

// besides is what is counted in the hierarchy of the class alone, which is where
// the shims and the dead are in groups of their own.
func (c Capabilities) besides() Capabilities {
	mount := c.class().Mount
	if c.CPUTime.Mount != mount {
		c.CPUTime = Mechanism{}
	}
	if c.Resident.Mount != mount {
		c.Resident = Mechanism{}
	}
	return c
}
