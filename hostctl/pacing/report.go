package pacing

import (
	"bytes"
	"math"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// A task may report its progress in the file that LULL_PROGRESS names: lines of numbers, in bytes
// or items done so far. The last line counts. The task may append to the file or rewrite it. Unlike
// a pipe, a file needs no reader, and it survives a restart of the agent.

// Reported is the last number in a file. The task controls the path, so anything but a
// regular file is refused.
func Reported(path string) (float64, bool) {
	if path == "" {
		return 0, false
	}
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return 0, false
	}
	f := os.NewFile(uintptr(fd), path)
	defer f.Close() //nolint:errcheck // only read
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0, false
	}
	const tail = 128 // a number has at most 20 digits
	b := make([]byte, tail)
	n, _ := f.ReadAt(b, max(info.Size()-tail, 0))
	return lastNumber(b[:n])
}

// lastNumber is the number on the last complete line. A line without an end may be
// incomplete.
func lastNumber(text []byte) (float64, bool) {
	end := bytes.LastIndexByte(text, '\n')
	if end < 0 {
		return 0, false
	}
	line := text[bytes.LastIndexByte(text[:end], '\n')+1 : end]
	n, err := strconv.ParseFloat(string(bytes.TrimSpace(line)), 64)
	return n, err == nil && n >= 0 && !math.IsInf(n, 0)
}
