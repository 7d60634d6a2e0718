package client

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"lull/subjects"
)

// slotterWithin is how long the slotter's answer is waited for: it comes within
// milliseconds, but only the instance that leads answers.
const slotterWithin = 3 * time.Second

// DataNodes asks the slotter how loaded data nodes are: all, or those from which
// a job's next tasks read.
func (c *Client) DataNodes(ctx context.Context, job string) ([]subjects.DataNode, error) {
	body, err := subjects.Marshal(&subjects.DataNodesAsk{Job: job})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, slotterWithin)
	defer cancel()
	if err := c.may(ctx, c.pool.Ask(subjects.AskDataNodes), "ask for the load of data nodes"); err != nil {
		return nil, err
	}
	m, err := c.nc.RequestWithContext(ctx, c.pool.Ask(subjects.AskDataNodes), body)
	switch {
	case errors.Is(err, nats.ErrNoResponders), errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("the slotter of pool %s does not answer: start one with lull up, or lull slotter", c.pool)
	case err != nil:
		return nil, fmt.Errorf("ask the slotter: %w", err)
	}
	var answer subjects.DataNodesAnswer
	if err := subjects.Unmarshal(m.Data, &answer); err != nil {
		return nil, fmt.Errorf("the answer of the slotter is not readable: %w", err)
	}
	if answer.Error != "" {
		return nil, fmt.Errorf("the slotter refused the question: %s", answer.Error)
	}
	return answer.Nodes, nil
}
