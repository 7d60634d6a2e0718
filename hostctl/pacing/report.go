package pacing

import (
	"bytes"
	"math"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// A task that knows better than its input how far it has come says so in the file
// that LULL_PROGRESS names: lines of numbers, the last of which counts, bytes or
// items done so far. It may append or begin the file anew. A file needs no reader that
// empties it, and outlives an agent.

// Reported is the last number in a file. The file is the task's: it may be
// anything, and what is no plain file is not opened.
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

// lastNumber is the one on the last whole line: the one behind it may be half
// written.
func lastNumber(text []byte) (float64, bool) {
	end := bytes.LastIndexByte(text, '\n')
	if end < 0 {
		return 0, false
	}
	line := text[bytes.LastIndexByte(text[:end], '\n')+1 : end]
	n, err := strconv.ParseFloat(string(bytes.TrimSpace(line)), 64)
	return n, err == nil && n >= 0 && !math.IsInf(n, 0)
}
