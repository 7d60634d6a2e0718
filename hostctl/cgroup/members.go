package cgroup

import (
	"bytes"
	"fmt"
	"io/fs"

	"golang.org/x/sys/unix"
)

// Members lists the processes of the slot's task, by one hierarchy alone: the unified one if
// present, because tasks are cloned into it. In v1 the shim may be among them. Use it where the
// answer is wanted every second. It misses a process that was moved, so a caller that kills must
// use Pids.
func (s *Slot) Members() ([]int, error) {
	groups := s.dirs() // v2 first
	if len(groups) == 0 {
		return nil, nil
	}
	path := string(groups[0].sub("cgroup.procs"))
	var buf [1024]byte
	n, err := readHead(path, buf[:])
	switch {
	case err != nil:
		return nil, err
	case n == len(buf):
		return groups[0].pids() // many
	}
	pids, err := parsePIDs(bytes.NewReader(buf[:n]))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return pids, nil
}

// readHead reads the beginning of a file of the kernel's. Package os would add it
// to the poller and take it out again, which costs as much as the reading.
func readHead(path string, buf []byte) (n int, err error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err == nil {
		n, err = unix.Read(fd, buf)
		_ = unix.Close(fd) // only read
	}
	if err != nil {
		return 0, &fs.PathError{Op: "read", Path: path, Err: err}
	}
	return n, nil
}
