package jobs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"lull/client"
	"lull/client/story"
	"lull/cmd/lull/commands/adhoc"
	"lull/subjects"
	"lull/subjects/ledger"
)

// patience is how long a command may wait to run before the reason is printed.
const patience = 3 * time.Second

// outputReader fetches what the tasks of a command write. It follows a single task while it runs, and reads the
// output of each of several when it has ended.
type outputReader struct {
	ctx     context.Context
	client  *client.Client
	view    *client.View
	job     string
	results *adhoc.Results
	screen  io.Writer

	exit     int          // of the command that failed last
	halted   bool         // by --halt
	reported map[int]bool // tasks that are in the results
	live     liveLog
	failed   error
}

// takeEntry handles an entry of the log.
func (o *outputReader) takeEntry(e client.Entry) {
	if subjects.JobOf(e.Event) != o.job || e.Change.Outcome == ledger.Void {
		return // of another job, or what the ledger did not accept: a repeat, or a host's mistake
	}
	switch event := e.Event.(type) {
	case *subjects.Started:
		if o.results.AsItRuns() && e.Change.Attempt != nil {
			o.live.begin(o, event.Host, event.Attempt)
		}
	case *subjects.Evicted:
		if event.Reason != subjects.ReasonRevoked {
			_, _ = fmt.Fprintf(o.screen, "task %d was ended on host %s and runs again: %s\n", o.number(event.Task), event.Host, story.Eviction(event))
		}
	case *subjects.Failed:
		o.failure(event)
	case *subjects.Finished:
		if e.Change.Outcome == ledger.Committed {
			o.report(adhoc.Result{Task: int(event.Task), Host: event.Host, Start: time.Unix(0, event.Start), Seconds: event.Seconds}, event.Attempt, event.Out)
		}
	}
}

// number is what a task is called: its place in the whole command line, from 1.
func (o *outputReader) number(task uint32) int { return o.results.Line.Number(int(task)) + 1 }

// failure records a command that failed, unless another attempt of its task still runs.
func (o *outputReader) failure(e *subjects.Failed) {
	state, _, _ := o.view.State.Job(o.job).Stages[e.Stage].Task(e.Task)
	if state != ledger.Dead {
		return
	}
	o.exit = status(e.Exit)
	if e.Reason != subjects.ReasonExit && e.Reason != subjects.ReasonSignal {
		_, _ = fmt.Fprintf(o.screen, "task %d ended on host %s: %s\n", o.number(e.Task), e.Host, e.Words())
	}
	wrote := int64(unknown)
	if e.Reason == subjects.ReasonExit {
		wrote = e.Out
	}
	o.report(adhoc.Result{Task: int(e.Task), Host: e.Host, Start: time.Unix(0, e.Start), Seconds: e.Seconds, Exit: o.exit}, e.Attempt, wrote)
}

// status returns the exit status in a shell's form.
func status(code int32) int {
	if code < 0 {
		return 128 - int(code)
	}
	return max(int(code), 1)
}

// report records the result of a task, with what it wrote and was not printed while it ran. It does so
// once: an attempt on a host that was lost may report its end after another one has ended the task. wrote is the
// bytes that it wrote to its streams and its files, so that streams without a byte are not asked for.
func (o *outputReader) report(one adhoc.Result, attempt uint64, wrote int64) {
	if o.reported[one.Task] {
		return
	}
	if o.reported == nil {
		o.reported = map[int]bool{}
	}
	o.reported[one.Task] = true
	left := &wrote
	one.Stdout = &unprinted{o, one.Host, attempt, client.Stdout, left}
	one.Stderr = &unprinted{o, one.Host, attempt, client.Stderr, left}
	if o.results.Add(one) && !o.halted {
		o.halted = true
		_, err := o.client.Cancel(o.ctx, client.Request{Job: o.job, Why: "too many of its commands failed (--halt)"})
		if err != nil && !errors.Is(err, client.ErrRefused) { // refused: the other commands have ended meanwhile
			o.failed = errors.Join(o.failed, err)
		}
	}
}

// unknown stands for the number of bytes that an attempt wrote, where its host does not report it.
const unknown = -1

// unprinted is what an attempt wrote to a stream and was not printed yet.
type unprinted struct {
	*outputReader
	host    string
	attempt uint64
	stream  string
	left    *int64 // bytes of the attempt that are not read yet, those of its files with them; unknown if negative
}

// WriteTo fetches it from its host.
func (u *unprinted) WriteTo(out io.Writer) (n int64, err error) {
	printed, whole, err := u.live.end(u.attempt, u.stream)
	if *u.left > 0 {
		*u.left = max(0, *u.left-printed)
	}
	if whole || *u.left == 0 && err == nil {
		return printed, u.named(err)
	}
	body, err := client.LogFrom(u.ctx, u.client, u.view.State.Host(u.host), u.attempt, u.stream, false, printed)
	if errors.Is(err, client.ErrNoLog) {
		return printed, nil
	} else if err != nil {
		return printed, u.named(err)
	}
	defer body.Close() //nolint:errcheck // only read
	n, err = io.Copy(out, body)
	if *u.left > 0 {
		*u.left = max(0, *u.left-n)
	}
	return printed + n, u.named(err)
}

func (u *unprinted) named(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s of attempt %d on host %s: %w", u.stream, u.attempt, u.host, err)
}

// liveLog prints what one attempt writes while it runs.
type liveLog struct {
	attempt uint64
	streams map[string]*stream
}

// stream is a stream that is followed. When over is closed, printed is the number of bytes printed.
type stream struct {
	printed int64
	whole   bool  // all is printed that the host kept
	err     error // of a stream that the host did not keep whole
	over    chan struct{}
}

func (f *liveLog) begin(o *outputReader, host string, attempt uint64) {
	f.attempt, f.streams = attempt, map[string]*stream{}
	h := o.view.State.Host(host)
	for name, out := range map[string]io.Writer{client.Stdout: o.results.Out, client.Stderr: o.results.Err} {
		s := &stream{over: make(chan struct{})}
		f.streams[name] = s
		go func() {
			defer close(s.over)
			body, err := o.client.Log(o.ctx, h, attempt, name, true)
			if err != nil {
				return // what it wrote is read when it has ended
			}
			defer body.Close() //nolint:errcheck // only read
			s.printed, err = io.Copy(out, body)
			var cut *client.CutError
			s.whole = err == nil || errors.As(err, &cut)
			if cut != nil {
				s.err = err
			}
		}()
	}
}

// end waits until an attempt's stream is no longer followed, and returns how many bytes of it were printed, and
// whether these are all.
func (f *liveLog) end(attempt uint64, name string) (printed int64, whole bool, err error) {
	s := f.streams[name]
	if s == nil || f.attempt != attempt {
		return 0, false, nil
	}
	<-s.over
	return s.printed, s.whole, s.err
}
