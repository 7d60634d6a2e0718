package core

import (
	"fmt"
	"time"

	"github.com/dustin/go-humanize"

	"lull/actors"
)

// memoryCheckEvery is the interval between checks whether memory has room again.
const memoryCheckEvery = 200 * time.Millisecond

// memoryFull reports whether open jobs take so much memory that new work is to wait. Without
// open jobs, waiting would free nothing.
func (c *Core) memoryFull(at Moment) bool {
	loaded, ok := c.cfg.Actor.(actors.Loaded)
	return ok && at.Memory.Full && loaded.Open() > 0
}

// reportMemory reports when new work begins to wait for memory, and when it no longer does.
func (c *Core) reportMemory() {
	full, memory := c.memoryFull(c.at), c.at.Memory
	switch {
	case full == c.inbox.full:
	case full:
		why := fmt.Sprintf("new jobs wait in the inbox: %d are open, and more than half of the memory is in use, %s of %s; admission takes them as jobs end, or start it with more --memory",
			c.cfg.Actor.(actors.Loaded).Open(), humanize.IBytes(memory.Live), humanize.IBytes(memory.Limit))
		c.note(Warning, why)
		c.emit(Wait{why})
	default:
		c.note(Info, "new jobs no longer wait in the inbox: memory has room again")
		c.emit(Wait{})
	}
	c.inbox.full = full
}
