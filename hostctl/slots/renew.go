package slots

import (
	"fmt"
	"os"

	"lull/hostctl/shim"
)

// A shim outlives its agent, and so the program that it was started from. After an upgrade,
// the new agent may rely on fixes and messages that an older shim lacks. So an older shim
// finishes its task and is replaced before the next one.

// outdated reports whether a shim runs another program than the one that the command would start
// now.
func outdated(c *shim.Client, command []string) bool {
	if len(command) == 0 {
		return false
	}
	runs, err := os.Stat(fmt.Sprintf("/proc/%d/exe", c.PID()))
	if err != nil {
		return false
	}
	starts, err := os.Stat(command[0])
	return err == nil && !os.SameFile(runs, starts)
}

// endOutdatedLocked ends an idle shim of another program, and reports whether it is gone. s.gate is
// held.
func (s *Slot) endOutdatedLocked() bool {
	s.mu.Lock()
	c, old := s.mu.client, s.mu.old && len(s.mu.waiting) == 0
	if old {
		s.mu.client = nil
	}
	s.mu.Unlock()
	if !old {
		return false
	}
	if c.Quit() == nil {
		c.Wait(launchPatience) // otherwise the next connection would reach the old shim
	}
	return true
}
