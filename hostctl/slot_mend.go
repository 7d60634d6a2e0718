package hostctl

import "context"

// mend makes a slot's cgroups anew if somebody has removed them, or the slot would decline
// one task after the other. Its shim looks for them when the next task cannot join the old
// ones.
func (a *Agent) mend(s *slot) {
	if s == nil {
		return
	}
	mended, err := s.mend()
	if !mended {
		return
	}
	a.cfg.Logger.Warn("cgroups of lull's were removed; they are made again", "slot", s.n)
	if err == nil {
		err = a.slotCaps.Again(s.n)
	}
	if err != nil {
		a.cfg.Logger.Error("a slot's cgroups cannot be made again: its tasks are declined", "slot", s.n, "error", err)
	}
}

// mend makes the groups, and gives them what the old ones had.
func (s *slot) mend() (mended bool, err error) {
	s.gate.Lock()
	defer s.gate.Unlock()
	if mended, err = s.group.Mend(); !mended || err != nil {
		return mended, err
	}
	s.mu.Lock()
	s.mu.limit = -1
	frozen := s.mu.holds != 0
	s.mu.Unlock()
	if frozen {
		err = s.stop(context.Background(), true) // nobody is in there to wait for
	}
	return true, err
}
