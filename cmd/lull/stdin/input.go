package stdin

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// Input is a standard input that attempts read, one after the other, each from the first byte.
type Input struct {
	from *os.File
	name string
	dir  string // where what was read is kept

	mu struct {
		sync.Mutex
		store   *store // nil until the first attempt that needs it
		turn    *turn  // of the last attempt
		end     int64  // bytes that were read
		ended   bool   // there are no more bytes
		closed  bool
		failure error // of reading
	}
	changed *sync.Cond // of mu
	broken  chan struct{}
}

// turn is an attempt's reading.
type turn struct {
	attempt     uint64
	read, write *os.File // the attempt's pipe
	taken       int64    // bytes that were written to it
}

// Of returns the input of a command, nil if f has nothing to give. What cannot be read twice is kept in a
// file of the folder.
func Of(f *os.File, folder string) (*Input, error) {
	if none, err := nothing(f); none || err != nil {
		return nil, err
	}
	in := &Input{from: f, name: rand.Text(), dir: folder, broken: make(chan struct{})}
	in.changed = sync.NewCond(&in.mu)
	return in, nil
}

// Name is how a job's document calls this input.
func (in *Input) Name() string { return in.name }

var (
	errGone  = errors.New("its stdin was that of a `lull run` that has ended: run the command again")
	errTwice = errors.New("its stdin cannot be read twice, because the disk had no room to keep it: run the command again")
)

// Open returns a path from which an attempt's stdin can be opened once. It begins with the first byte.
// The attempts before get nothing any more.
func (in *Input) Open(name string, attempt uint64) (path string, err error) {
	if in == nil || name != in.name {
		return "", errGone
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	switch t := in.mu.turn; {
	case in.mu.closed:
		return "", errGone
	case t != nil && t.attempt == attempt:
		return PathOf(t.read), nil
	case readable(in.from):
		return PathOf(in.from), nil
	}
	if err := in.beginLocked(attempt); err != nil {
		return "", err
	}
	return PathOf(in.mu.turn.read), nil
}

// beginLocked gives the turn to an attempt.
func (in *Input) beginLocked(attempt uint64) error {
	if in.mu.store == nil {
		kept, err := newStore(in.dir)
		if err != nil {
			return fmt.Errorf("keep stdin: %w", err)
		}
		in.mu.store = kept
		go in.pump(kept)
	}
	if in.mu.store.first() > 0 {
		return errTwice
	}
	read, write, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("pipe for stdin: %w", err)
	}
	in.mu.turn.close()
	in.mu.turn = &turn{attempt: attempt, read: read, write: write}
	in.changed.Broadcast()
	go in.feed(in.mu.turn, in.mu.store)
	return nil
}

func (t *turn) close() {
	if t != nil {
		_ = errors.Join(t.read.Close(), t.write.Close()) // the attempt is over
	}
}

// Broken is closed when reading has failed. The task then waits for bytes that do not come: its end of file
// would make half an input look whole.
func (in *Input) Broken() <-chan struct{} {
	if in == nil {
		return nil
	}
	return in.broken
}

// Err returns why reading failed, nil if it did not.
func (in *Input) Err() error {
	if in == nil {
		return nil
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.mu.failure
}

// Close ends the turn of the last attempt and drops what was kept. A read that waits for bytes goes on, and what it
// gets is dropped.
func (in *Input) Close() error {
	if in == nil {
		return nil
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.mu.closed {
		return nil
	}
	in.mu.closed = true
	in.mu.turn.close()
	in.changed.Broadcast()
	if in.mu.store == nil {
		return nil
	}
	return in.mu.store.close()
}

// Whole reads the input to its end into a file without a name, and returns that; nil if there is nothing. It fails if there
// are more than most bytes.
func (in *Input) Whole(folder string, most int64) (*os.File, error) {
	to, err := unnamed(folder)
	if err != nil {
		return nil, fmt.Errorf("keep stdin: %w", err)
	}
	n, err := io.Copy(to, io.LimitReader(in.from, most+1))
	switch {
	case err != nil:
		err = fmt.Errorf("read stdin: %w", err)
	case n > most:
		err = ErrTooLarge
	}
	if err != nil || n == 0 {
		return nil, errors.Join(err, to.Close())
	}
	return to, nil
}
