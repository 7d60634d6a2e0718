package client

import (
	"context"
	"maps"
	"sync"
	"time"

	"lull/actors"
	"lull/subjects"
)

// Usage holds the last sample of each host that sent one since it began to
// listen. It is safe for concurrent use.
type Usage struct {
	mu struct {
		sync.Mutex
		hosts  map[string]*subjects.Usage
		speeds map[string]heardSpeeds
	}
}

// heardSpeeds is a host's last Speeds, and when it came.
type heardSpeeds struct {
	tasks []subjects.Speed
	at    time.Time
}

// speedsFresh is the age up to which a host's last Speeds is current: five times its interval.
const speedsFresh = 5 * time.Second

// Usage listens to the hosts' telemetry until ctx ends.
func (c *Client) Usage(ctx context.Context) (*Usage, error) {
	samples, err := c.bus.Listen(ctx, c.pool.Usage("*"))
	if err != nil {
		return nil, err
	}
	speeds, err := c.bus.Listen(ctx, c.pool.Speed("*"))
	if err != nil {
		return nil, err
	}
	u := &Usage{}
	u.mu.hosts, u.mu.speeds = map[string]*subjects.Usage{}, map[string]heardSpeeds{}
	for _, heard := range []<-chan actors.Delivery{samples, speeds} {
		go func() {
			for d := range heard {
				if t, err := subjects.DecodeTelemetry(c.pool, d.Subject, d.Body); err == nil {
					u.keepSample(t)
				}
			}
		}()
	}
	return u, nil
}

func (u *Usage) keepSample(t subjects.Telemetry) {
	u.mu.Lock()
	defer u.mu.Unlock()
	switch sample := t.(type) {
	case *subjects.Usage:
		u.mu.hosts[sample.Host] = received(sample)
	case *subjects.Speeds:
		u.mu.speeds[sample.Host] = heardSpeeds{sample.Tasks, time.Now()}
	}
}

// Speeds returns what each host said last of its tasks, by host and attempt.
func (u *Usage) Speeds() map[subjects.AttemptOn]subjects.Speed {
	u.mu.Lock()
	defer u.mu.Unlock()
	all := map[subjects.AttemptOn]subjects.Speed{}
	for host, heard := range u.mu.speeds {
		if time.Since(heard.at) > speedsFresh {
			continue
		}
		for _, task := range heard.tasks {
			all[subjects.AttemptOn{Host: host, Attempt: task.Attempt}] = task
		}
	}
	return all
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
