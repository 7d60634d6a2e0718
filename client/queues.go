package client

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/ledger/page"
)

// Queues lists the queues that have jobs or of which an operator spoke, by name, as Hosts
// lists hosts.
func (c *Client) Queues(ctx context.Context) ([]subjects.QueueLine, error) {
	parts, err := listed(ctx, c, subjects.AskQueues, subjects.QueuesAsk{Now: time.Now().UnixNano()}, c.foldQueues,
		func(ask *subjects.QueuesAsk, answer *subjects.QueuesAnswer) ([]subjects.QueueLine, bool) {
			more := isFurther(ask.From, answer.Next)
			ask.From = answer.Next
			return answer.Queues, more
		})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(parts, func(a, b subjects.QueueLine) int { return strings.Compare(a.Queue, b.Queue) })
	var lines []subjects.QueueLine
	for i := range parts {
		if n := len(lines); n > 0 && lines[n-1].Queue == parts[i].Queue {
			lines[n-1].Add(&parts[i])
		} else {
			lines = append(lines, parts[i])
		}
	}
	return lines, nil
}

// isFurther reports whether a place is behind another: a slotter that leads back is not followed.
func isFurther(from, next subjects.QueuesFrom) bool {
	return cmp.Or(cmp.Compare(next.Job, from.Job), cmp.Compare(next.Host, from.Host), cmp.Compare(next.Queue, from.Queue)) > 0
}

func (c *Client) foldQueues(ctx context.Context, s *ledger.State) (func(*subjects.QueuesAsk) *subjects.QueuesAnswer, error) {
	speeds, err := c.LastSpeeds(ctx, HostsOf(s, func(at *ledger.Attempt) bool { return at.Job.Live() }))
	if err != nil {
		return nil, err
	}
	return func(ask *subjects.QueuesAsk) *subjects.QueuesAnswer {
		return page.Queues(s, ask, func(at *ledger.Attempt) (float64, bool) {
			speed, heard := speeds[subjects.AttemptOn{Host: at.Host.Name, Attempt: at.ID}]
			return speed.Rate, heard
		})
	}, nil
}
