package client

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"lull/subjects"
	"lull/subjects/ledger/page"
)

// jobsWithin bounds the wait for admission's answer. It takes milliseconds, but only the
// instance that leads answers.
const jobsWithin = 2 * time.Second

// ErrNoAnswer says that no service of the pool answers a question in time.
var ErrNoAnswer = errors.New("no service of the pool answers")

// Jobs lists jobs, oldest first: the newest Limit of those that match, or all if Limit is 0.
// The answer's Next is not 0 if there are more. Admission answers from its state; where none
// does, the client folds the log, which gives the same list more slowly.
func (c *Client) Jobs(ctx context.Context, ask subjects.JobsAsk) (*subjects.JobsAnswer, error) {
	answer, err := c.AskJobs(ctx, ask)
	if !errors.Is(err, ErrNoAnswer) {
		return answer, err
	}
	s, err := c.state(ctx)
	if err != nil {
		return nil, err
	}
	return collectPages(ask, func(ask *subjects.JobsAsk) (*subjects.JobsAnswer, error) { return page.Jobs(s, ask), nil })
}

// AskJobs is Jobs answered by admission, page by page. The error is ErrNoAnswer if none answers.
func (c *Client) AskJobs(ctx context.Context, ask subjects.JobsAsk) (*subjects.JobsAnswer, error) {
	return collectPages(ask, func(ask *subjects.JobsAsk) (*subjects.JobsAnswer, error) { return c.askJobs(ctx, ask) })
}

func collectPages(ask subjects.JobsAsk, next func(*subjects.JobsAsk) (*subjects.JobsAnswer, error)) (*subjects.JobsAnswer, error) {
	all, limit := &subjects.JobsAnswer{}, int(ask.Limit)
	for {
		if limit > 0 {
			ask.Limit = uint32(limit - len(all.Jobs))
		}
		answer, err := next(&ask)
		if err != nil {
			return nil, err
		}
		if answer.Error != "" {
			return nil, fmt.Errorf("admission refused the question: %s", answer.Error)
		}
		// An admission of an earlier release answers with jobs of any age.
		answer.Jobs = slices.DeleteFunc(answer.Jobs, func(l subjects.JobLine) bool { return l.Submitted < ask.Since })
		answer.Jobs = append(all.Jobs, answer.Jobs...)
		if all = answer; all.Next == 0 || limit > 0 && len(all.Jobs) >= limit {
			slices.Reverse(all.Jobs)
			return all, nil
		}
		ask.Before = all.Next
	}
}

func (c *Client) askJobs(ctx context.Context, ask *subjects.JobsAsk) (*subjects.JobsAnswer, error) {
	body, err := subjects.Marshal(ask)
	if err != nil {
		return nil, err
	}
	reply, err := c.ask(ctx, subjects.AskJobs, body, jobsWithin)
	if err != nil {
		return nil, err
	}
	var answer subjects.JobsAnswer
	if err := subjects.Unmarshal(reply, &answer); err != nil || len(reply) == 0 {
		return nil, ErrNoAnswer // an earlier release does not answer this question
	}
	return &answer, nil
}
