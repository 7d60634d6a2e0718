package actors

import (
	"fmt"
	"time"

	"github.com/dustin/go-humanize"

	"lull/subjects"
)

// lookForRoom is the interval between checks whether memory has room again.
const lookForRoom = 200 * time.Millisecond

// Loaded is an actor that holds work whose end frees memory.
type Loaded interface {
	// Open is how many jobs have not ended.
	Open() int
}

// crowded reports whether new work waits in the inbox because open jobs take too
// much memory. Without open jobs, waiting would free nothing.
func (s *Shell) crowded() bool {
	loaded, ok := s.cfg.Actor.(Loaded)
	if !ok || s.cfg.Memory == nil {
		return false
	}
	memory := s.cfg.Memory()
	s.tellCrowded(memory, memory.Full && loaded.Open() > 0, loaded.Open())
	return s.inbox.full
}

func (s *Shell) tellCrowded(memory subjects.Memory, full bool, open int) {
	switch {
	case full == s.inbox.full:
	case full:
		why := fmt.Sprintf("new jobs wait in the inbox: %d are open, and more than half of the memory is in use, %s of %s; admission takes them as jobs end, or start it with more --memory",
			open, humanize.IBytes(memory.Live), humanize.IBytes(memory.Limit))
		s.cfg.Logger.Warn(why)
		s.waits.Store(&why)
	default:
		s.waits.Store(nil)
		s.cfg.Logger.Info("new jobs no longer wait in the inbox: memory has room again")
	}
	s.inbox.full = full
}
