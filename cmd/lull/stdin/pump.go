package stdin

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"

	"lull/hostctl/recede"
)

const (
	// window is how many bytes the pump reads ahead of what the attempt has taken. Whatever writes to
	// stdin waits beyond that, as it would for the command itself.
	window = 1 << 20
	// piece is the unit of reading and writing.
	piece = 128 << 10
)

// background moves the calling goroutine to the background for good: passing bytes on is the task's work.
func background() {
	runtime.LockOSThread() // and never unlock: the thread stays what it becomes
	_ = recede.CPU(0)      // it works without
}

// pump reads stdin into the store until its end.
func (in *Input) pump(to *store) {
	background()
	buf := make([]byte, piece)
	for in.awaitRoom() {
		n, err := in.from.Read(buf)
		if !in.took(to, buf[:n], err) {
			return
		}
	}
}

// awaitRoom waits until the attempt has taken what was read. It returns false after Close.
func (in *Input) awaitRoom() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	for !in.mu.closed && in.mu.end-in.mu.turn.taken >= window {
		in.changed.Wait()
	}
	return !in.mu.closed
}

// took stores what was read, and reports whether there may be more.
func (in *Input) took(to *store, bytes []byte, err error) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	defer in.changed.Broadcast()
	if in.mu.closed {
		return false
	}
	if kept := to.put(bytes, in.mu.end, in.mu.turn.taken); kept != nil {
		return in.failLocked(fmt.Errorf("keep stdin: %w", kept))
	}
	in.mu.end += int64(len(bytes))
	switch {
	case errors.Is(err, io.EOF):
		in.mu.ended = true
	case err != nil:
		return in.failLocked(fmt.Errorf("read stdin: %w", err))
	}
	return err == nil
}

func (in *Input) failLocked(err error) bool {
	in.mu.failure = err
	close(in.broken)
	return false
}

// feed writes what is stored to an attempt's pipe, until the end of stdin or of the attempt's turn. It closes the
// pipe only at the end of stdin.
func (in *Input) feed(t *turn, from *store) {
	background()
	buf := make([]byte, piece)
	for {
		n := in.awaitBytes(t)
		if n == 0 {
			return
		}
		part := buf[:min(n, piece)]
		if err := from.get(part, t.taken); err != nil {
			in.fail(t, fmt.Errorf("read what was kept of stdin: %w", err))
			return
		}
		if _, err := t.write.Write(part); err != nil {
			return // the attempt has closed its stdin, or lost its turn
		}
		in.mu.Lock()
		t.taken += int64(len(part))
		in.changed.Broadcast()
		in.mu.Unlock()
	}
}

// awaitBytes waits until there are bytes for the attempt, and returns how many; 0 when there will be none.
func (in *Input) awaitBytes(t *turn) int64 {
	in.mu.Lock()
	defer in.mu.Unlock()
	for !in.mu.closed && in.mu.turn == t && in.mu.end == t.taken && !in.mu.ended && in.mu.failure == nil {
		in.changed.Wait()
	}
	switch left := in.mu.end - t.taken; {
	case in.mu.closed || in.mu.turn != t:
		return 0
	case left == 0 && in.mu.ended:
		_ = t.write.Close() // the task's end of file
		return 0
	default:
		return left
	}
}

// fail records why the attempt gets no further bytes.
func (in *Input) fail(t *turn, err error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.mu.turn == t && !in.mu.closed && in.mu.failure == nil && !errors.Is(err, os.ErrClosed) {
		in.failLocked(err)
	}
}
