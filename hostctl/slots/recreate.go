package slots

import "context"

// Recreate makes the slot's cgroups anew if they were removed, and gives them what the old ones
// had. It reports whether they were.
func (s *Slot) Recreate() (recreated bool, err error) {
	s.gate.Lock()
	defer s.gate.Unlock()
	if recreated, err = s.Group.Recreate(); !recreated || err != nil {
		return recreated, err
	}
	s.Memory.forget()
	s.Weight.forget()
	if s.Holds.Any() {
		err = s.setFrozenLocked(context.Background(), true) // nothing is in there to wait for
	}
	return true, err
}
