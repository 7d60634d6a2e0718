package placer

import (
	"time"

	"lull/placer/picture"
	"lull/placer/topology"
	"lull/subjects"
	"lull/subjects/ledger"
)

// usages has the last usage that each host sent; hosts send it once a second.
type usages struct {
	first time.Time // when the first usage arrived
	hosts map[string]*usage
}

// usage is the last usage of a host, and what its primary moved in the last samples.
type usage struct {
	at      time.Time
	idle    float64
	traffic [samples]topology.Traffic
	n       int // samples so far
}

// samples is how many samples traffic is averaged over: ten seconds.
const samples = 10

func newUsages() usages { return usages{hosts: map[string]*usage{}} }

// add keeps the usage of a host of the pool. It ignores other names, because a sender could make up any
// number of them.
func (s *usages) add(now time.Time, sample subjects.Telemetry, pool *ledger.State) {
	u, ok := sample.(*subjects.Usage)
	if !ok || pool.Host(u.Host) == nil {
		return
	}
	if s.first.IsZero() || now.Before(s.first) {
		s.first = now
	}
	h := s.hosts[u.Host]
	if h == nil {
		h = &usage{}
		s.hosts[u.Host] = h
	}
	if now.Sub(h.at) > maxAge {
		h.n = 0
	}
	h.at, h.idle = now, u.Idle
	h.traffic[h.n%samples] = topology.Traffic{Out: max(u.NetOut-u.MovedOut, 0), In: max(u.NetIn-u.MovedIn, 0)}
	h.n++
}

// complete reports whether all hosts have had the time to send their usage.
func (s *usages) complete(now time.Time) bool {
	return !s.first.IsZero() && now.Sub(s.first) >= settleTime
}

// of returns a host's usage, false if there is none of the last seconds.
func (s *usages) of(now time.Time, host string) (picture.Host, bool) {
	h := s.hosts[host]
	if h == nil || now.Sub(h.at) > maxAge {
		return picture.Host{}, false
	}
	n := min(h.n, samples)
	var sum topology.Traffic
	for _, t := range h.traffic[:n] {
		sum.Out, sum.In = sum.Out+t.Out, sum.In+t.In
	}
	return picture.Host{Idle: h.idle, Traffic: topology.Traffic{Out: sum.Out / float64(n), In: sum.In / float64(n)}}, true
}

// forget drops hosts that are no longer in the ledger.
func (s *usages) forget(pool *ledger.State) {
	for host := range s.hosts {
		if pool.Host(host) == nil {
			delete(s.hosts, host)
		}
	}
}
