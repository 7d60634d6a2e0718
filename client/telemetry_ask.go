package client

import (
	"context"
	"errors"
	"fmt"
	"time"

	"lull/subjects"
)

// usageWithin bounds the wait for the slotter, which answers within milliseconds. Without an
// answer there is another way, so it is short.
const usageWithin = time.Second

// askUsage returns the last samples that the slotter received of the hosts, page by page. It
// returns nil if no slotter answers, or one that does not know the question.
func (c *Client) askUsage(ctx context.Context, speeds bool) ([]subjects.HostUsage, error) {
	all := []subjects.HostUsage{}
	for ask := (subjects.UsageAsk{Speeds: speeds}); ; {
		answer, err := c.askUsagePage(ctx, &ask)
		switch {
		case err != nil:
			return nil, err
		case answer == nil:
			return nil, nil
		case answer.Error != "":
			return nil, fmt.Errorf("the slotter refused the question: %s", answer.Error)
		}
		for _, h := range answer.Hosts {
			if h.Usage != nil {
				h.Usage.Host = h.Host
				all = append(all, h)
			}
		}
		if answer.Next == "" || answer.Next <= ask.After {
			return all, nil
		}
		ask.After = answer.Next
	}
}

func (c *Client) askUsagePage(ctx context.Context, ask *subjects.UsageAsk) (*subjects.UsageAnswer, error) {
	body, err := subjects.Marshal(ask)
	if err != nil {
		return nil, err
	}
	reply, err := c.ask(ctx, subjects.AskUsage, body, usageWithin)
	if errors.Is(err, ErrNoAnswer) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var answer subjects.UsageAnswer
	if err := subjects.Unmarshal(reply, &answer); err != nil {
		return nil, fmt.Errorf("the answer of the slotter is not readable: %w", err)
	}
	return &answer, nil
}
