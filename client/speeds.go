package client

import (
	"context"

	"lull/actors"
	"lull/subjects"
)

// Speeds listens until each of these hosts has said how fast its tasks read, or
// should have, and returns that by attempt.
func (c *Client) Speeds(ctx context.Context, hosts []string) (map[uint64]subjects.Speed, error) {
	speeds := map[uint64]subjects.Speed{}
	err := hear(ctx, c, c.pool.Speed("*"), hosts, func(s *subjects.Speeds) string {
		for _, task := range s.Tasks {
			speeds[task.Attempt] = task
		}
		return s.Host
	})
	return speeds, err
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
