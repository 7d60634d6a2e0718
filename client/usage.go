package client

import (
	"context"
	"maps"
	"sync"
	"time"

	"lull/subjects"
)

// Usage holds the last sample of each host that sent one since it began to
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
				u.keepSample(t)
			}
		}
	}()
	return u, nil
}

func (u *Usage) keepSample(t subjects.Telemetry) {
	sample, ok := t.(*subjects.Usage)
	if !ok {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.mu.hosts[sample.Host] = received(sample)
}

// received dates a sample by this machine's clock, by which its age counts: the host's may be wrong.
func received(u *subjects.Usage) *subjects.Usage {
	u.At = time.Now().UnixNano()
	return u
}

// Hosts returns the last sample of each host.
func (u *Usage) Hosts() map[string]*subjects.Usage {
	u.mu.Lock()
	defer u.mu.Unlock()
	return maps.Clone(u.mu.hosts)
}
