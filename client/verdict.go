package client

import (
	"context"
	"errors"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
)

// verdictWithin is the wait for admission's verdict: it answers within milliseconds when it
// is up, and the job is safe when it is not.
const verdictWithin = 5 * time.Second

// Verdict asks admission until it has a verdict on a job that was submitted, for a few seconds
// at most. The line is nil if admission has not read the job by then; memory says whether new
// jobs wait for room.
func (c *Client) Verdict(ctx context.Context, job string) (line *subjects.JobLine, memory subjects.Memory, err error) {
	within, cancel := context.WithTimeout(ctx, verdictWithin)
	defer cancel()
	for pause := time.Millisecond; ; pause = min(2*pause, 100*time.Millisecond) {
		answer, err := c.AskJobs(within, subjects.JobsAsk{Job: job, Whole: true})
		switch {
		case ctx.Err() != nil:
			return nil, memory, ctx.Err()
		case within.Err() != nil:
			return line, memory, nil
		case errors.Is(err, ErrSilent): // no instance leads at the moment
		case err != nil:
			return nil, memory, err
		default:
			memory = answer.Memory
			if len(answer.Jobs) == 1 {
				line = &answer.Jobs[0]
			}
			if line != nil && line.State != ledger.Submitted.String() {
				return line, memory, nil
			}
		}
		select {
		case <-time.After(pause):
		case <-within.Done():
		}
	}
}
