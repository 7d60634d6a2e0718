package cgroup

import (
	"errors"
	"fmt"
	"strconv"
)

// SetIdle puts all of lull into the idle class, or raises it by one level, to the smallest weight.
// That ranks it above the idle classes of others; see Raise for more. Without an idle class it has
// the smallest weight either way.
//
// The class belongs on the parent that all agents share: on a slot it would only rank slots among
// themselves.
func (t *Tree) SetIdle(on bool) error {
	switch idle := t.caps.Idle; {
	case idle.OK() && on:
		return t.parent(idle).write(idle.File, "1")
	case idle.OK():
		// The kernel takes a weight only outside the idle class, and a cgroup that
		// leaves the class has the weight of ordinary work. So for the microseconds
		// between these two writes, batch work weighs as much as the primary.
		return errors.Join(t.parent(idle).write(idle.File, "0"), t.setLeastWeight())
	case t.caps.Weight.OK():
		return t.setLeastWeight()
	}
	return fmt.Errorf("idle class: %w", ErrAbsent)
}

// setLeastWeight gives the parent the smallest weight.
func (t *Tree) setLeastWeight() error {
	if !t.caps.Weight.OK() {
		return nil
	}
	least := strconv.FormatUint(leastWeight(t.caps.Weight.Version), 10)
	return t.parent(t.caps.Weight).write(t.caps.Weight.File, least)
}
