package attempts

import "lull/hostctl/slots"

// repair makes a slot's cgroups anew if another program has removed them, or the slot would
// decline one task after the other. Its shim looks for them when the next task cannot join the old
// ones.
func (c *Config) repair(s *slots.Slot) {
	if s == nil {
		return
	}
	recreated, err := s.Recreate()
	if !recreated {
		return
	}
	c.Logger.Warn("cgroups of lull's were removed; they are made again", "slot", s.N)
	if err == nil {
		err = c.Caps.Again(s.N)
	}
	if err != nil {
		c.Logger.Error("a slot's cgroups cannot be made again: its tasks are declined", "slot", s.N, "error", err)
	}
}
