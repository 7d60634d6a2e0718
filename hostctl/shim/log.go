package shim

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// log keeps a stream within a bound. The first half of the bound is written to the file as it
// arrives. Of the rest, the newest half waits in memory, and flush writes it behind a line that
// says how much was left out. So a reader sees how a task began and what it wrote last, and a task
// that writes for ever fills neither disk nor pipe.
type log struct {
	path  string
	half  int64
	total int64  // bytes of the stream so far
	head  int64  // bytes of it in the file for good
	ring  []byte // the newest bytes behind head, from next on
	next  int    // where the oldest byte of a full ring is
	dirty bool   // the ring has changed since the last flush
	file  *os.File
	err   error // the first trouble; from then on output is dropped
}

func newLog(path string, bound int64) *log {
	if bound <= 0 {
		bound = DefaultLogBytes
	}
	return &log{path: path, half: max(1, bound/2)}
}

// write takes a piece of the stream. The first one makes the file.
func (l *log) write(b []byte) {
	l.total += int64(len(b))
	if l.file == nil && l.err == nil {
		// Not blocking: a task without a fence could have put a named pipe there, and
		// its shim would wait for a reader for ever.
		l.file, l.err = os.OpenFile(l.path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0o644)
	}
	if room := min(l.half-l.head, int64(len(b))); room > 0 {
		l.put(b[:room], l.head)
		l.head += room
		b = b[room:]
	}
	l.keepTail(b)
}

// put writes to the file, as long as that goes well.
func (l *log) put(b []byte, at int64) {
	if l.err == nil {
		_, l.err = l.file.WriteAt(b, at)
	}
}

// keepTail adds to the ring, over the oldest bytes when it is full.
func (l *log) keepTail(b []byte) {
	if len(b) == 0 {
		return
	}
	l.dirty = true
	if over := int64(len(b)) - l.half; over > 0 {
		b = b[over:]
	}
	room := min(int(l.half)-len(l.ring), len(b))
	l.ring = append(l.ring, b[:room]...)
	for b = b[room:]; len(b) > 0; {
		n := copy(l.ring[l.next:], b)
		l.next = (l.next + n) % len(l.ring)
		b = b[n:]
	}
}

// flush brings the file's second part up to date. A reader that comes in
// between may see parts of two versions of it.
func (l *log) flush() {
	if !l.dirty || l.err != nil {
		return
	}
	l.dirty = false
	at := l.head
	if out := l.total - l.head - int64(len(l.ring)); out > 0 {
		mark := fmt.Appendf(nil, "\n… %d bytes left out …\n", out)
		l.put(mark, at)
		at += int64(len(mark))
	}
	l.put(l.ring[l.next:], at)
	l.put(l.ring[:l.next], at+int64(len(l.ring)-l.next))
	if l.err == nil {
		l.err = l.file.Truncate(at + int64(len(l.ring)))
	}
}

// close writes what is left.
func (l *log) close() {
	l.flush()
	if l.file != nil {
		l.err = errors.Join(l.err, l.file.Close())
	}
	l.ring = nil
}
