package client

import (
	"context"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/ledger/page"
)

// Job returns a job by its id, or by a prefix of its id that no other job has, with its stages and
// what it waits for, as Hosts lists hosts. The error is ErrNoJob or ErrSeveral if the name is not
// that of one job.
func (c *Client) Job(ctx context.Context, id string) (*subjects.JobDetail, error) {
	answers, err := listed(ctx, c, subjects.AskJob, subjects.JobAsk{Job: id}, c.foldJob,
		func(_ *subjects.JobAsk, answer *subjects.JobAnswer) ([]*subjects.JobAnswer, bool) {
			return []*subjects.JobAnswer{answer}, false
		})
	if err != nil {
		return nil, err
	}
	if job := answers[0].Job; job != nil {
		return job, nil
	}
	return nil, findError(id, answers[0].Alike)
}

func (c *Client) foldJob(ctx context.Context, s *ledger.State) (func(*subjects.JobAsk) *subjects.JobAnswer, error) {
	usage, err := c.LastUsage(ctx, HostsUp(s))
	if err != nil {
		return nil, err
	}
	var cpu subjects.CPUSum
	for _, u := range usage {
		if u.Fresh(time.Now().UnixNano()) {
			cpu.Add(u)
		}
	}
	return func(q *subjects.JobAsk) *subjects.JobAnswer { return page.Job(s, q, cpu) }, nil
}
