package client

import (
	"context"
	"time"

	"lull/subjects"
)

// telemetryWithin is a little more than the interval at which each monitor publishes, a second.
const telemetryWithin = 1300 * time.Millisecond

// LastUsage returns what each of the hosts published last. The slotter answers that from what it
// has received. Without a slotter, or with one that has received nothing yet, it waits until the
// hosts have published again, for 1.3 s at most. A host that published nothing is missing.
func (c *Client) LastUsage(ctx context.Context, hosts []string) (map[string]*subjects.Usage, error) {
	last := map[string]*subjects.Usage{}
	known, err := c.askUsage(ctx, false)
	if err != nil {
		return nil, err
	}
	for _, h := range known {
		last[h.Host] = received(h.Usage) // the slotter leaves out hosts that were silent of late
	}
	if len(last) > 0 || len(hosts) == 0 {
		return last, nil
	}
	err = collectTelemetry(ctx, c, c.pool.Usage("*"), hosts, func(u *subjects.Usage) string {
		last[u.Host] = received(u)
		return u.Host
	})
	return last, err
}

// LastSpeeds returns how fast the tasks of the hosts read when they published that last, by
// host and attempt. Without a slotter it waits for the next samples, for 1.3 s at most.
func (c *Client) LastSpeeds(ctx context.Context, hosts []string) (map[subjects.AttemptOn]subjects.Speed, error) {
	speeds := map[subjects.AttemptOn]subjects.Speed{}
	take := func(host string, tasks []subjects.Speed) {
		for _, task := range tasks {
			speeds[subjects.AttemptOn{Host: host, Attempt: task.Attempt}] = task
		}
	}
	if len(hosts) == 0 {
		return speeds, nil
	}
	known, err := c.askUsage(ctx, true)
	if err != nil {
		return nil, err
	}
	for _, h := range known {
		take(h.Host, h.Tasks)
	}
	if known != nil {
		return speeds, nil
	}
	err = collectTelemetry(ctx, c, c.pool.Speed("*"), hosts, func(s *subjects.Speeds) string {
		take(s.Host, s.Tasks)
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
