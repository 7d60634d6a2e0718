package client

import (
	"context"
	"time"

	"lull/subjects"
)

// hearWithin is a little more than the second in which every monitor that is
// well says something.
const hearWithin = 1300 * time.Millisecond

// hear listens on a subject until each of the hosts has sent a sample of a kind, or
// should have. take gets each sample, and returns its host.
func hear[T subjects.Telemetry](ctx context.Context, c *Client, subject string, hosts []string, take func(T) string) error {
	ctx, cancel := context.WithTimeout(ctx, hearWithin)
	defer cancel()
	samples, err := c.bus.Listen(ctx, subject)
	if err != nil {
		return err
	}
	missing := map[string]bool{}
	for _, name := range hosts {
		missing[name] = true
	}
	for len(missing) > 0 {
		d, ok := <-samples
		if !ok {
			break
		}
		if t, err := subjects.DecodeTelemetry(c.pool, d.Subject, d.Body); err == nil {
			if sample, ok := t.(T); ok {
				delete(missing, take(sample))
			}
		}
	}
	return nil
}
