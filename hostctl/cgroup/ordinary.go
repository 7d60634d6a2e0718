package cgroup

// OrdinaryParent is the name of lull's group of ordinary weight, next to Parent. It is for processes that
// must have CPU while the primary wants all of it: the shims, which kill. Killed from the idle
// class, a fork bomb took 21 s to end beside a primary that computed on every core.
//
// All agents' shims together have the weight of one ordinary service.
const OrdinaryParent = "lull-beside"

// class is the mechanism that puts batch work behind the primary.
func (c Capabilities) class() Mechanism {
	if c.Idle.OK() {
		return c.Idle
	}
	return c.Weight
}

// makeOrdinary makes the agent's group of ordinary weight. There is none where no controller has
// weights, or where the kernel refuses it (to a user that owns Parent alone). Shims then stay in
// the agent's own group.
func (t *Tree) makeOrdinary() {
	m := t.caps.class()
	if !m.OK() {
		return
	}
	own := dir(m.Mount).sub(OrdinaryParent).sub(t.name)
	if _, err := own.make(); err == nil {
		t.ordinary = own
	}
}

// ShimJoins are the v1 groups that a shim is born in, and stays in: the thread that starts
// it joins them as Joins says. One is of ordinary weight, the other only counts the slot's
// CPU time, because the shim works for its tasks.
func (s *Slot) ShimJoins() (groups []string) {
	class, counted := s.tree.caps.class(), s.tree.caps.CPUTime
	if class.Version == 1 && s.tree.ordinary != "" {
		groups = append(groups, string(s.tree.ordinary))
	}
	if counted.Version == 1 && counted.Mount != class.Mount {
		groups = append(groups, string(s.in(counted)))
	}
	return groups
}

// JoinsAfterFork lists the v1 groups that a thread joins once it has forked a task, as Joins says. They
// take it out of the freezer, where it would stop with the tasks, and into a group with CPU. Until
// it has ended, it may keep what its process's other threads need.
func (s *Slot) JoinsAfterFork() (groups []string) {
	class, freeze := s.tree.caps.class(), s.tree.caps.Freeze
	beside := class.Version == 1 && s.tree.ordinary != ""
	if beside {
		groups = append(groups, string(s.tree.ordinary))
	}
	if freeze.Version == 1 && (!beside || freeze.Mount != class.Mount) {
		groups = append(groups, string(s.tree.in(freeze)))
	}
	return groups
}

// accountedInClass is what is counted in the hierarchy of the class alone, which is where
// the shims are in groups of their own.
func (c Capabilities) accountedInClass() Capabilities {
	mount := c.class().Mount
	if c.CPUTime.Mount != mount {
		c.CPUTime = Mechanism{}
	}
	if c.Resident.Mount != mount {
		c.Resident = Mechanism{}
	}
	return c
}
