package shim

import (
	"bytes"
	"strconv"

	"golang.org/x/sys/unix"
)

// oomKills is how many processes of the slot were ever killed for memory; 0 if
// none is counted; buf is scratch space. The file stays open: a read costs 2 µs, an open ten.
func (g groups) oomKills(buf []byte) uint64 {
	if g.oom < 0 {
		return 0
	}
	n, err := unix.Pread(g.oom, buf, 0)
	if err != nil {
		return 0
	}
	return countOOM(buf[:n])
}

func countOOM(b []byte) uint64 {
	for line := range bytes.Lines(b) {
		if value, ok := bytes.CutPrefix(line, []byte("oom_kill ")); ok {
			n, _ := strconv.ParseUint(string(bytes.TrimSpace(value)), 10, 64)
			return n
		}
	}
	return 0
}
