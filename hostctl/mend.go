package hostctl

import "lull/hostctl/slots"

// mend makes a slot's cgroups anew if somebody has removed them, or the slot would decline
// one task after the other. Its shim looks for them when the next task cannot join the old
// ones.
func (a *Agent) mend(s *slots.Slot) {
	if s == nil {
		return
	}
	mended, err := s.Mend()
	if !mended {
		return
	}
	a.cfg.Logger.Warn("cgroups of lull's were removed; they are made again", "slot", s.N)
	if err == nil {
		err = a.slotCaps.Again(s.N)
	}
	if err != nil {
		a.cfg.Logger.Error("a slot's cgroups cannot be made again: its tasks are declined", "slot", s.N, "error", err)
	}
}
