package client

import (
	"context"
	"errors"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
)

// ErrNoVerdict says that admission has not answered yet. What was sent is safe in the inbox,
// and admission will read it.
var ErrNoVerdict = errors.New("admission has not answered yet")

// PendingError is the ErrNoVerdict about a job.
type PendingError struct {
	Memory subjects.Memory // whether new jobs wait for room; zero if no service answered
}

func (e *PendingError) Error() string { return ErrNoVerdict.Error() }

// Is reports whether target is ErrNoVerdict.
func (e *PendingError) Is(target error) bool { return target == ErrNoVerdict }

// verdictWithin is the wait for admission's verdict: it answers within milliseconds when it
// is up, and the job is safe when it is not.
const verdictWithin = 5 * time.Second

// Verdict asks admission until it has a verdict on a submitted job, for five seconds at most, and
// returns the job as lists show it. The error is a *PendingError if there is no verdict by then.
func (c *Client) Verdict(ctx context.Context, job string) (*subjects.JobLine, error) {
	within, cancel := context.WithTimeout(ctx, verdictWithin)
	defer cancel()
	pending := &PendingError{}
	for pause := time.Millisecond; ; pause = min(2*pause, 100*time.Millisecond) {
		answer, err := c.AskJobs(within, subjects.JobsAsk{Job: job, Whole: true})
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case within.Err() != nil:
			return nil, pending
		case errors.Is(err, ErrNoAnswer): // no instance leads at the moment
		case err != nil:
			return nil, err
		case len(answer.Jobs) == 1 && answer.Jobs[0].State != ledger.Submitted.String():
			return &answer.Jobs[0], nil
		default:
			pending.Memory = answer.Memory
		}
		select {
		case <-time.After(pause):
		case <-within.Done():
		}
	}
}
