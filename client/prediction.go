package client

import (
	"context"
	"sync/atomic"
	"time"

	"lull/client/progress"
	"lull/subjects"
	"lull/subjects/humane"
)

// predictEvery is the time between two questions of a watch for a job's predicted end.
const predictEvery = time.Second

// Predicted returns when admission now predicts a live job's end; zero if that is unknown. The
// error is ErrNoAnswer if no admission answers.
func (c *Client) Predicted(ctx context.Context, job string) (time.Time, error) {
	answer, err := c.AskJobs(ctx, subjects.JobsAsk{Job: job, Whole: true})
	if err != nil || len(answer.Jobs) == 0 {
		return time.Time{}, err
	}
	line := answer.Jobs[0]
	if line.Ended != 0 {
		return time.Time{}, nil // what stands there was predicted when it was admitted
	}
	return humane.Unix(line.Finish), nil
}

// prediction is a job's predicted end, kept up to date.
type prediction struct{ finish atomic.Pointer[time.Time] }

// follow asks for the job's predicted end once a second until ctx ends. While no service
// answers, the last answer stands.
func (p *prediction) follow(ctx context.Context, c *Client, job string) {
	tick := time.NewTicker(predictEvery)
	defer tick.Stop()
	for {
		if at, err := c.Predicted(ctx, job); err == nil {
			p.finish.Store(&at)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// in puts the prediction into what is shown of the job, if there is one.
func (p *prediction) in(v progress.View) progress.View {
	if at := p.finish.Load(); at != nil && !v.Phase.Ended() {
		v.Finish = *at
	}
	return v
}
