package client

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"lull/actors"
	"lull/client/story"
	"lull/subjects/ledger"
)

// logFollower writes the logs of attempts while they run, several at once, line by line.
type logFollower struct {
	ctx    context.Context
	view   *View
	chosen chosenLogs

	attempts story.Attempts
	opened   map[uint64]bool
	running  sync.WaitGroup
	failed   firstError
	out      *lockedWriter
	errors   *lockedWriter // for standard error; nil if only one stream is followed
}

// followLogs writes what the chosen attempts write until the job ends.
func (v *View) followLogs(ctx context.Context, j *ledger.Job, history []actors.Entry, chosen chosenLogs, out io.Writer) error {
	f := &logFollower{ctx: ctx, view: v, chosen: chosen, opened: map[uint64]bool{}, out: &lockedWriter{w: out}}
	if chosen.Errors != nil {
		f.errors = &lockedWriter{w: chosen.Errors}
	}
	for _, entry := range history {
		f.attempts.Add(entry)
	}
	for _, a := range chosen.latest(f.attempts.List) {
		f.open(a)
	}
	defer func(each func(Entry)) { v.Each = each }(v.Each)
	v.Each = func(e Entry) {
		if !e.Of(v.pool, j.ID) {
			return
		}
		if a := f.attempts.Add(e.Entry); a != nil && chosen.includes(a) {
			f.open(a)
		}
	}
	err := v.Until(ctx, func() bool { return j.Phase.Ended() })
	f.running.Wait()
	return errors.Join(err, f.failed.err)
}

// open follows the log of an attempt that has begun, once.
func (f *logFollower) open(a *story.Attempt) {
	if !a.Began || f.opened[a.ID] {
		return
	}
	f.opened[a.ID] = true
	f.stream(a, f.chosen.stream(), f.out)
	if f.errors != nil {
		f.stream(a, Stderr, f.errors)
	}
}

// stream follows one stream of an attempt. If both are followed, it does not report that there is no log of
// one of them: nothing was written to it.
func (f *logFollower) stream(a *story.Attempt, name string, out io.Writer) {
	host, task := f.view.State.Host(a.Host), f.chosen.name(a)
	f.running.Go(func() {
		body, err := f.view.client.Log(f.ctx, host, a.ID, name, true)
		if err == nil {
			err = copyLines(out, body, task+" | ")
			_ = body.Close()
		}
		if err != nil && f.ctx.Err() == nil && (f.errors == nil || !errors.Is(err, ErrNoLog)) {
			f.failed.note(fmt.Errorf("%s of %s: %w", name, task, err))
		}
	})
}

// firstError keeps the first error of several goroutines.
type firstError struct {
	sync.Mutex
	err error
}

func (f *firstError) note(err error) {
	f.Lock()
	defer f.Unlock()
	if f.err == nil {
		f.err = err
	}
}

// lockedWriter passes on the writes of several goroutines, each in one piece.
type lockedWriter struct {
	sync.Mutex
	w io.Writer
}

func (w *lockedWriter) Write(b []byte) (int, error) {
	w.Lock()
	defer w.Unlock()
	return w.w.Write(b)
}

// mostLine is the bytes of a line that copyLines keeps together.
const mostLine = 1 << 20

// copyLines copies lines with a prefix. A line of more than mostLine bytes goes in pieces, each with the prefix.
func copyLines(out io.Writer, body io.Reader, prefix string) error {
	lines, line := bufio.NewReaderSize(body, 64<<10), []byte(prefix)
	for {
		part, err := lines.ReadSlice('\n')
		line = append(line, part...)
		if errors.Is(err, bufio.ErrBufferFull) && len(line) < mostLine {
			continue
		}
		if len(line) > len(prefix) {
			if line[len(line)-1] != '\n' {
				line = append(line, '\n')
			}
			if _, err := out.Write(line); err != nil {
				return err
			}
			line = line[:len(prefix)]
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return err
		}
	}
}
