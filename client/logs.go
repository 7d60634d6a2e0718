package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"lull/client/story"
	"lull/subjects"
	"lull/subjects/agentpath"
	"lull/subjects/ledger"
)

// Streams of an attempt.
const (
	Stdout = agentpath.Stdout
	Stderr = agentpath.Stderr
)

// ErrNoAttempt says that none of a job's attempts is the one that was asked for.
var ErrNoAttempt = errors.New("no such attempt yet")

// ErrNoLog says that a host keeps no log of an attempt: it wrote nothing, or that is gone.
var ErrNoLog = errors.New("no log")

// Logs writes to out what a job's tasks wrote: one attempt after the other, or all at once
// while they run if q says Follow. Where there are several attempts each line begins with
// its stage and task. The beginning of the job's id is enough if no other begins so. The
// error is ErrNoJob, ErrSeveral, ErrNoStage or ErrNoAttempt, among others; a log that
// cannot be read does not hide the others.
func (c *Client) Logs(ctx context.Context, job string, q LogQuery, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // of the view
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

// Logs is Client.Logs in a view that is there already.
func (v *View) Logs(ctx context.Context, j *ledger.Job, q LogQuery, out io.Writer) error {
	chosen, err := q.of(j)
	if err != nil {
		return err
	}
	history, err := v.client.History(ctx, j.ID)
	if err != nil {
		return err
	}
	if q.Follow {
		return v.followLogs(ctx, j, history, chosen, out)
	}
	attempts := chosen.last(story.AttemptsOf(history))
	if len(attempts) == 0 {
		return fmt.Errorf("%s has %w", j.ID, ErrNoAttempt)
	}
	var failed error
	for _, a := range attempts {
		prefix := label(j, a) + " | "
		if len(attempts) == 1 {
			prefix = ""
		}
		missing, err := v.copyLog(ctx, a, q.stream(), prefix, out)
		if err == nil && q.Errors != nil {
			var none error
			if none, err = v.copyLog(ctx, a, Stderr, prefix, q.Errors); none == nil || !errors.Is(none, ErrNoLog) {
				missing = none // what a task wrote to one stream is all that it wrote
			}
		}
		if err != nil {
			return err
		}
		if missing != nil && (!errors.Is(missing, ErrNoLog) || !silent(a)) {
			failed = fmt.Errorf("%s: %w", label(j, a), missing)
		}
	}
	return failed
}

// silent reports whether an attempt may well have written nothing: it was ended for the sake of others,
// never began, or failed without a last line.
func silent(a *story.Attempt) bool {
	switch end := a.End.(type) {
	case *subjects.Evicted, *subjects.Declined:
		return true
	case *subjects.Failed:
		return end.Tail == ""
	}
	return false
}

// copyLog copies what an attempt wrote to a stream, each line behind the prefix. missing says
// why the stream cannot be read, err why it was not copied to its end.
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
	return nil, errors.Join(err, body.Close())
}

// label names an attempt for people: map/3, and from the second on map/3#2.
func label(j *ledger.Job, a *story.Attempt) string {
	text := fmt.Sprintf("%s/%d", j.Shape.Stages[a.Stage].Name, a.Task)
	if a.Try > 1 {
		text += fmt.Sprintf("#%d", a.Try)
	}
	return text
}

// Log opens what an attempt wrote to one of its streams; with follow it goes
// on until the attempt ends. The caller closes it. The error is ErrNoLog, among others.
func (c *Client) Log(ctx context.Context, h *ledger.Host, attempt uint64, stream string, follow bool) (io.ReadCloser, error) {
	from, err := outputHost(h)
	if err != nil {
		return nil, err
	}
	response, err := c.fetch.Do(ctx, from, agentpath.Log(attempt, stream, follow), 0)
	if err != nil {
		return nil, fmt.Errorf("ask host %s for the log: %w", from.Host, err)
	}
	if response.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(response.Body, 200))
		_ = response.Body.Close()
		if response.StatusCode == http.StatusNotFound {
			return nil, fmt.Errorf("host %s: %w: %s", from.Host, ErrNoLog, strings.TrimSpace(string(text)))
		}
		return nil, fmt.Errorf("host %s: %s", from.Host, strings.TrimSpace(string(text)))
	}
	return response.Body, nil
}
