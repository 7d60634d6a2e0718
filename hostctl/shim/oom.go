package shim

import (
	"bytes"
	"strconv"

	"golang.org/x/sys/unix"
)

// oomCounts is what the kernel counted of a slot's processes that were killed for memory.
type oomCounts struct {
	kills  uint64 // processes that were killed
	limits uint64 // times that the slot's own limit left no other way
	told   bool   // limits is counted; cgroup v1 does not
}

// oomCounts are those of the slot up to now; zero if none are counted. buf is scratch space. The file stays open: a read costs
// 2 µs, an open ten.
func (g groups) oomCounts(buf []byte) oomCounts {
	if g.oom < 0 {
		return oomCounts{}
	}
	n, err := unix.Pread(g.oom, buf, 0)
	if err != nil {
		return oomCounts{}
	}
	return countOOM(buf[:n])
}

func countOOM(b []byte) (c oomCounts) {
	for line := range bytes.Lines(b) {
		name, value, _ := bytes.Cut(bytes.TrimSpace(line), []byte(" "))
		n, _ := strconv.ParseUint(string(value), 10, 64)
		switch string(name) {
		case "oom_kill":
			c.kills = n
		case "oom":
			c.limits, c.told = n, true
		}
	}
	return c
}

// ownLimit reports whether the kills since before follow from the slot's own limit, and not from a host without memory. Where
// the kernel does not tell, they count as the limit's: that is the rule.
func (c oomCounts) ownLimit(before oomCounts) bool { return !c.told || c.limits > before.limits }
