package client

import (
	"context"

	"lull/subjects"
)

// sender is the user in the subjects on which this connection submits and asks, "" for none.
// Admission of an earlier release refuses such subjects, and its streams do not keep them. If no
// admission has led yet, the pool's streams are of this release.
func (c *Client) sender(ctx context.Context) (string, error) {
	if c.user == "" {
		return "", nil
	}
	last, err := c.bus.Last(ctx, c.pool.Led(string(subjects.RoleAdmission), subjects.WholePool))
	if err != nil {
		return "", err
	}
	e, err := subjects.Decode(c.pool, last.Subject, last.Body)
	if led, ok := e.(*subjects.Led); err == nil && ok && led.Format < subjects.FormatSigned {
		return "", nil
	}
	return c.user, nil
}
