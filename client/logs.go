package client

import (
	"context"
	"errors"
	"fmt"
	"io"

	"lull/client/story"
	"lull/subjects"
	"lull/subjects/agentpath"
	"lull/subjects/humane"
	"lull/subjects/ledger"
)

// The streams that an attempt writes.
const (
	Stdout = agentpath.Stdout
	Stderr = agentpath.Stderr
)

// ErrNoAttempt says that the job has no attempt that the query selects, or none yet.
var ErrNoAttempt = errors.New("no such attempt yet")

// ErrNoLog says that a host keeps no log of an attempt: the attempt wrote nothing, or the log was removed.
var ErrNoLog = errors.New("no log")

// ErrNothingLogged says that finished attempts wrote nothing, or that their logs were removed since: a host does
// not remember which.
var ErrNothingLogged = errors.New("wrote nothing, or the logs were removed since")

// Logs writes to out what a job's tasks wrote: one attempt after the other or, with q.Follow, all at once
// while they run. If there are several attempts, each line begins with its stage and task. job is the
// job's id, or the beginning of it if no other id begins so. The error is ErrNoJob, ErrSeveral, ErrNoStage
// or ErrNoAttempt, among others; ErrNothingLogged if that is all there is to say. If one log cannot be read, Logs
// still writes the others.
func (c *Client) Logs(ctx context.Context, job string, q LogQuery, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the view
	view, err := c.View(ctx)
	if err != nil {
		return err
	}
	j, err := Find(view.State, job)
	if err != nil {
		return err
	}
	return view.Logs(ctx, j, q, out)
}

// Logs does what Client.Logs does, for a job of an open view.
func (v *View) Logs(ctx context.Context, j *ledger.Job, q LogQuery, out io.Writer) error {
	chosen, err := q.resolve(j)
	if err != nil {
		return err
	}
	history, err := v.client.History(ctx, j.ID)
	if err != nil {
		return err
	}
	if q.Labels {
		chosen.labels = story.LabelsOf(history)
	}
	if q.Follow {
		return v.followLogs(ctx, j, history, chosen, out)
	}
	attempts := chosen.latest(story.AttemptsOf(history))
	if len(attempts) == 0 {
		return fmt.Errorf("%s has %w", j.ID, ErrNoAttempt)
	}
	var failed error
	silent := 0
	for _, a := range attempts {
		prefix := chosen.name(a) + " | "
		if len(attempts) == 1 {
			prefix = ""
		}
		missing, err := v.copyStreams(ctx, a, q, prefix, out)
		switch {
		case err != nil:
			return err
		case missing == nil || errors.Is(missing, ErrNoLog) && mayLackLog(a):
		case errors.Is(missing, ErrNoLog) && finished(a):
			silent++
		default:
			failed = fmt.Errorf("%s: %w", chosen.name(a), missing)
		}
	}
	if failed == nil && silent > 0 {
		return fmt.Errorf("%s of %d %w", humane.Count(silent, "attempt"), len(attempts), ErrNothingLogged)
	}
	return failed
}

// copyStreams copies the streams of an attempt that q asks for, as copyLog does one.
func (v *View) copyStreams(ctx context.Context, a *story.Attempt, q LogQuery, prefix string, out io.Writer) (missing, err error) {
	missing, err = v.copyLog(ctx, a, q.stream(), prefix, out)
	if err != nil || q.Errors == nil {
		return missing, err
	}
	none, err := v.copyLog(ctx, a, Stderr, prefix, q.Errors)
	if none == nil || errors.Is(none, ErrNoLog) {
		return missing, err // a log that exists for one stream is enough: the other may be empty
	}
	return none, err
}

// mayLackLog reports whether it is no surprise if an attempt has no log: it was evicted, never started, or
// failed without output on stderr.
func mayLackLog(a *story.Attempt) bool {
	switch end := a.End.(type) {
	case *subjects.Evicted, *subjects.Declined:
		return true
	case *subjects.Failed:
		return end.Tail == ""
	}
	return false
}

func finished(a *story.Attempt) bool {
	_, ok := a.End.(*subjects.Finished)
	return ok
}

// copyLog copies what an attempt wrote to a stream, each line after the prefix. missing is the error of a
// stream that cannot be opened or is not whole, err that of a copy that broke off.
func (v *View) copyLog(ctx context.Context, a *story.Attempt, stream, prefix string, out io.Writer) (missing, err error) {
	body, err := v.client.Log(ctx, v.State.Host(a.Host), a.ID, stream, false)
	if err != nil {
		return err, nil
	}
	if prefix == "" {
		_, err = io.Copy(out, body)
	} else {
		err = copyLines(out, body, prefix)
	}
	err = errors.Join(err, body.Close())
	var cut *CutError
	if errors.As(err, &cut) {
		return cut, nil
	}
	return nil, err
}
