package client

import (
	"context"
	"maps"
	"sync"

	"lull/subjects"
)

// Usage holds the last sample of each host that was heard of since it began to
// listen. It is safe for concurrent use.
type Usage struct {
	mu struct {
		sync.Mutex
		hosts map[string]*subjects.Usage
	}
}

// Usage listens to the hosts' telemetry until ctx ends.
func (c *Client) Usage(ctx context.Context) (*Usage, error) {
	samples, err := c.bus.Listen(ctx, c.pool.Usage("*"))
	if err != nil {
		return nil, err
	}
	u := &Usage{}
	u.mu.hosts = map[string]*subjects.Usage{}
	go func() {
		for d := range samples {
			if t, err := subjects.DecodeTelemetry(c.pool, d.Subject, d.Body); err == nil {
				u.heard(t)
			}
		}
	}()
	return u, nil
}

func (u *Usage) heard(t subjects.Telemetry) {
	sample, ok := t.(*subjects.Usage)
	if !ok {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.mu.hosts[sample.Host] = sample
}

// Hosts returns the last sample of each host.
func (u *Usage) Hosts() map[string]*subjects.Usage {
	u.mu.Lock()
	defer u.mu.Unlock()
	return maps.Clone(u.mu.hosts)
}

// Heard listens until each of the hosts has said something, or should have.
func (c *Client) Heard(ctx context.Context, hosts []string) (map[string]*subjects.Usage, error) {
	heard := map[string]*subjects.Usage{}
	err := hear(ctx, c, c.pool.Usage("*"), hosts, func(u *subjects.Usage) string {
		heard[u.Host] = u
		return u.Host
	})
	return heard, err
}
