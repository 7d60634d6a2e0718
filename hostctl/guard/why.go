package guard

import (
	"fmt"
	"strings"

	"lull/subjects/humane"
)

// why explains the bounds and their reasons.
func (g *Guard) why(o Orders) string {
	var parts []string
	say := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	switch {
	case o.Frozen:
		say("tasks are stopped: even beside fewer of them, the primary waited for a CPU for more than %g s in each second of CPU time that it got", g.cfg.Budget)
	case o.Cores < g.cfg.Cores:
		say("tasks may use %d of %d cores: on more, the primary waited for a CPU for more than %g s in each second of CPU time that it got", o.Cores, g.cfg.Cores, g.cfg.Budget)
	}
	if o.MemoryHigh > 0 {
		say("tasks may use %d MB of memory: little is left for the primary", o.MemoryHigh>>20)
	}
	if o.DiskRate > 0 {
		say("tasks may read and write %.1f MB/s: the primary waits for the disk", float64(o.DiskRate)/(1<<20))
	}
	return strings.Join(parts, "; ")
}

// evictsFor is the reason for the end of a task.
func (o Orders) evictsFor(s *Sample, reserve int64) string {
	switch {
	case o.AtOnce:
		return fmt.Sprintf("%d MB of memory were left, %d MB are kept for the primary", s.MemoryFree>>20, reserve>>20)
	case o.Evict:
		return fmt.Sprintf("the primary wanted the CPU for %s and longer", humane.Span(frozenMost))
	}
	return ""
}
