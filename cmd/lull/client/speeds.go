package client

import (
	"context"

	"lull/actors"
	"lull/subjects"
)

// Speeds listens until each of these hosts has said how fast its tasks read, or
// should have, and returns that by attempt.
func (c *Client) Speeds(ctx context.Context, hosts []string) (map[uint64]subjects.Speed, error) {
	ctx, cancel := context.WithTimeout(ctx, hearWithin)
	defer cancel()
	samples, err := c.bus.Listen(ctx, c.pool.Speed("*"))
	if err != nil {
		return nil, err
	}
	speeds, missing := map[uint64]subjects.Speed{}, map[string]bool{}
	for _, name := range hosts {
		missing[name] = true
	}
	for len(missing) > 0 {
		d, ok := <-samples
		if !ok {
			break
		}
		if t, err := subjects.DecodeTelemetry(c.pool, d.Subject, d.Body); err == nil {
			if s, ok := t.(*subjects.Speeds); ok {
				for _, task := range s.Tasks {
					speeds[task.Attempt] = task
				}
				delete(missing, s.Host)
			}
		}
	}
	return speeds, nil
}

// Ended returns, in order, what the log still holds about attempts that were taken
// back for a job's sake.
func (c *Client) Ended(ctx context.Context, job string) (ended []actors.Entry, err error) {
	all, err := c.past(ctx, c.pool.Revocations())
	for _, entry := range all {
		if e, ok := entry.Event.(*subjects.Revoked); ok && e.For == job {
			ended = append(ended, entry)
		}
	}
	return ended, err
}
