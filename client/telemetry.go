package client

import (
	"context"
	"time"

	"lull/subjects"
)

// telemetryWithin is a little more than the interval at which each monitor publishes, a second.
const telemetryWithin = 1300 * time.Millisecond

// LastUsage waits until each of the hosts has published its usage, for 1.3 s at most, and
// returns that by host. A host that published nothing is missing.
func (c *Client) LastUsage(ctx context.Context, hosts []string) (map[string]*subjects.Usage, error) {
	last := map[string]*subjects.Usage{}
	err := collectTelemetry(ctx, c, c.pool.Usage("*"), hosts, func(u *subjects.Usage) string {
		last[u.Host] = u
		return u.Host
	})
	return last, err
}

// LastSpeeds waits until each of the hosts has published how fast its tasks read, for 1.3 s
// at most, and returns that by attempt.
func (c *Client) LastSpeeds(ctx context.Context, hosts []string) (map[uint64]subjects.Speed, error) {
	speeds := map[uint64]subjects.Speed{}
	err := collectTelemetry(ctx, c, c.pool.Speed("*"), hosts, func(s *subjects.Speeds) string {
		for _, task := range s.Tasks {
			speeds[task.Attempt] = task
		}
		return s.Host
	})
	return speeds, err
}

// collectTelemetry listens on a subject until each of the hosts has sent a sample of type T,
// or telemetryWithin is over. take gets each sample and returns its host.
func collectTelemetry[T subjects.Telemetry](ctx context.Context, c *Client, subject string, hosts []string, take func(T) string) error {
	ctx, cancel := context.WithTimeout(ctx, telemetryWithin)
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
