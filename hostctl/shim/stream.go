package shim

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

const (
	chunkBytes = 64 << 10 // a pipe's capacity
	burstReads = 16       // of one stream before the others get their turn
	drainReads = 64       // at the end: more than a pipe can hold
	// rest is the shortest pause between two looks at a stream, and share is the part of the time
	// that looks may cost. A shim has more CPU than its task, and preempts the primary when it
	// wakes. A task that writes byte by byte, or for ever, would make it wake for each write, or
	// never sleep.
	rest  = time.Millisecond
	share = 5
	// roomBytes is how deep the pipe of a task is that writes more than it holds
	// between two looks.
	roomBytes = burstReads * chunkBytes
)

// stream is our end of a task's stdout or stderr, and where it goes.
type stream struct {
	fd       int // -1 after the end of file
	log      *log
	until    time.Time // it is not looked at before
	enlarged bool      // its pipe is deep
}

// mayRead reports whether it may be looked at again.
func (o *stream) mayRead(now time.Time) bool { return !now.Before(o.until) }

// readPending takes what came, and rests.
func (o *stream) readPending(buf []byte) {
	begin, before := time.Now(), o.log.total
	o.drain(buf, burstReads)
	end := time.Now()
	o.until = end.Add(rest + (share-1)*end.Sub(begin))
	if o.fd >= 0 && !o.enlarged && o.log.total-before >= chunkBytes {
		_, _ = unix.FcntlInt(uintptr(o.fd), unix.F_SETPIPE_SZ, roomBytes) // refused: it writes at 64 MB/s
		o.enlarged = true
	}
}

// drain moves what is there into the log, at most so many reads.
func (o *stream) drain(buf []byte, reads int) {
	for ; reads > 0 && o.fd >= 0; reads-- {
		n, err := unix.Read(o.fd, buf)
		switch {
		case err == unix.EINTR:
		case err == unix.EAGAIN:
			return
		case n <= 0:
			o.close()
		default:
			o.log.write(buf[:n])
			if n < len(buf) {
				return // empty now; a poll reports new data
			}
		}
	}
}

func (o *stream) close() {
	if o.fd >= 0 {
		_ = unix.Close(o.fd)
		o.fd = -1
	}
}

// openOutput opens a pipe for each stream that is kept and returns what the
// task gets as its stdout and stderr. Each task has new ones: five microseconds
// buy that nothing of an earlier task can write into a later one's log.
func (s *server) openOutput(t *task) (out [2]int, err error) {
	out = [2]int{s.null, s.null}
	for i, path := range []string{t.Stdout, t.Stderr} {
		if path == "" {
			continue
		}
		if i == 1 && path == t.Stdout {
			out[1] = out[0]
			continue
		}
		if out[i], err = t.openStream(path); err != nil {
			s.closeWriters(out)
			t.closeStreams()
			return out, err
		}
	}
	return out, nil
}

func (t *task) openStream(path string) (writer int, err error) {
	var p [2]int
	if err := unix.Pipe2(p[:], unix.O_CLOEXEC); err != nil {
		return -1, fmt.Errorf("pipe for the output: %w", err)
	}
	t.streams = append(t.streams, &stream{fd: p[0], log: newLog(path, t.LogBytes)})
	// Only our end: programs take EAGAIN on stdout for a failure.
	return p[1], unix.SetNonblock(p[0], true)
}

// closeWriters closes the task's ends, once it has its own.
func (s *server) closeWriters(out [2]int) {
	for i, fd := range out {
		if fd >= 0 && fd != s.null && (i == 0 || fd != out[0]) {
			_ = unix.Close(fd)
		}
	}
}

func (t *task) closeStreams() {
	for _, o := range t.streams {
		o.close()
	}
}

// drainStreams takes the rest of the output and returns how much there was in all.
func (t *task) drainStreams(buf []byte) (bytes int64) {
	for _, o := range t.streams {
		for range drainReads {
			o.drain(buf, 1)
		}
		o.close()
		o.log.close()
		bytes += o.log.total
	}
	return bytes
}

// logTrouble describes output that could not be kept. It is not the task's fault.
func (t *task) logTrouble() string {
	for _, o := range t.streams {
		if o.log.err != nil {
			return fmt.Sprintf("its output could not be kept: %v", o.log.err)
		}
	}
	return ""
}
