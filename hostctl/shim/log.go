package shim

import (
	"errors"
	"math"
	"os"

	"golang.org/x/sys/unix"

	"lull/hostctl/store"
)

// log keeps a stream in a file, to which bytes are only added: what a reader has read stays as it is, so
// a reader that comes back continues where it was. Behind the bound nothing is kept. Then a file beside the
// log says how many bytes are missing, and has the last of them (store.Cut).
type log struct {
	path  string
	bound int64 // bytes that are kept
	total int64 // bytes of the stream so far
	kept  int64 // bytes of it in the file
	file  *os.File
	cut   *os.File // says what is missing; nil while nothing is, or if it cannot be made
	last  []byte   // of what is missing
	err   error    // the first trouble; from then on output is dropped
}

// mostLast is how many of the missing bytes are kept: the end of a failed task's stderr says why it failed.
const mostLast = 1024

// newLog begins a log. A bound of 0 means DefaultLogBytes, a negative one none.
func newLog(path string, bound int64) *log {
	switch {
	case bound == 0:
		bound = DefaultLogBytes
	case bound < 0:
		bound = math.MaxInt64
	}
	return &log{path: path, bound: bound}
}

// openLogFile opens a file beside those of the task. The open never blocks: a task without a fence could
// have put a named pipe there, and its shim would wait for a reader for ever.
func openLogFile(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0o644)
}

// write takes a piece of the stream. The first one makes the file.
func (l *log) write(b []byte) {
	l.total += int64(len(b))
	if l.file == nil && l.err == nil {
		l.file, l.err = openLogFile(l.path)
	}
	n := 0
	if l.err == nil {
		n, l.err = l.file.Write(b[:min(l.bound-l.kept, int64(len(b)))])
		l.kept += int64(n)
	}
	if n < len(b) {
		l.drop(b[n:])
	}
}

// drop counts bytes that are not kept. The first ones make the file that says so: later the disk may have no
// room for it.
func (l *log) drop(b []byte) {
	first := len(l.last) == 0
	l.last = append(l.last, b[max(0, len(b)-mostLast):]...)
	l.last = append(l.last[:0], l.last[max(0, len(l.last)-mostLast):]...)
	if first {
		l.err = errors.Join(l.err, l.noteCut())
	}
}

// close ends the log, and notes how many bytes it lacks.
func (l *log) close() {
	if l.total > l.kept {
		l.err = errors.Join(l.err, l.noteCut())
	}
	for _, f := range []*os.File{l.file, l.cut} {
		if f != nil {
			l.err = errors.Join(l.err, f.Close())
		}
	}
}

func (l *log) noteCut() (err error) {
	if l.cut == nil {
		if l.cut, err = openLogFile(store.CutPath(l.path)); err != nil {
			l.cut = nil
			return err
		}
	}
	_, err = l.cut.WriteAt(store.Cut{Missing: l.total - l.kept, Last: l.last}.Bytes(), 0)
	return err
}
