package hostctl

import (
	"fmt"
	"os"

	"lull/hostctl/shim"
)

// A shim outlives its agent, and so the program that it was started from. The next agent may be
// a newer one: what that knows to be unsafe, or asks of a shim, an older shim does
// not know. So it serves the task that it runs, and gives way before the next one.

// older reports whether a shim is another program than the one that would be started now.
func (s *slot) older(c *shim.Client) bool {
	if len(s.cfg.Command) == 0 {
		return false
	}
	runs, err := os.Stat(fmt.Sprintf("/proc/%d/exe", c.PID()))
	if err != nil {
		return false
	}
	starts, err := os.Stat(s.cfg.Command[0])
	return err == nil && !os.SameFile(runs, starts)
}

// outdated ends a shim that runs nothing and is another program, and reports whether there is
// none any more. s.gate is held.
func (s *slot) outdated() bool {
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
		c.Wait(leavePatience) // or the next one would be greeted by it
	}
	return true
}
