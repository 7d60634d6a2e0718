package slots

import "context"

// Mend makes the slot's cgroups anew if they were removed, and gives them what the old ones
// had. It reports whether they were.
func (s *Slot) Mend() (mended bool, err error) {
	s.gate.Lock()
	defer s.gate.Unlock()
	if mended, err = s.Group.Mend(); !mended || err != nil {
		return mended, err
	}
	s.Memory.forget()
	if s.Holds.Any() {
		err = s.setFrozenLocked(context.Background(), true) // nothing is in there to wait for
	}
	return true, err
}
