package placer

import (
	"time"

	"lull/placer/picture"
	"lull/placer/topology"
	"lull/subjects"
	"lull/subjects/ledger"
)

// hears is what hosts say of their use, once a second.
type hears struct {
	first time.Time // when the first one was heard
	hosts map[string]*heard
}

// heard is what a host said last, and what its primary moved in the last samples.
type heard struct {
	at      time.Time
	idle    float64
	traffic [samples]topology.Traffic
	n       int // samples so far
}

// samples is how many samples traffic is averaged over: ten seconds.
const samples = 10

func newHears() hears { return hears{hosts: map[string]*heard{}} }

// add takes in what a host says. What an unknown host says is not kept: any number of names could be made up.
func (s *hears) add(now time.Time, sample subjects.Telemetry, pool *ledger.State) {
	u, ok := sample.(*subjects.Usage)
	if !ok || pool.Host(u.Host) == nil {
		return
	}
	if s.first.IsZero() || now.Before(s.first) {
		s.first = now
	}
	h := s.hosts[u.Host]
	if h == nil {
		h = &heard{}
		s.hosts[u.Host] = h
	}
	if now.Sub(h.at) > stale {
		h.n = 0
	}
	h.at, h.idle = now, u.Idle
	h.traffic[h.n%samples] = topology.Traffic{Out: max(u.NetOut-u.MovedOut, 0), In: max(u.NetIn-u.MovedIn, 0)}
	h.n++
}

// settled reports whether all hosts have had the time to say something.
func (s *hears) settled(now time.Time) bool {
	return !s.first.IsZero() && now.Sub(s.first) >= settle
}

// of is what counts of a host now, false if nothing fresh does.
func (s *hears) of(now time.Time, host string) (picture.Host, bool) {
	h := s.hosts[host]
	if h == nil || now.Sub(h.at) > stale {
		return picture.Host{}, false
	}
	n := min(h.n, samples)
	var sum topology.Traffic
	for _, t := range h.traffic[:n] {
		sum.Out, sum.In = sum.Out+t.Out, sum.In+t.In
	}
	return picture.Host{Idle: h.idle, Traffic: topology.Traffic{Out: sum.Out / float64(n), In: sum.In / float64(n)}}, true
}

// forget drops hosts that the ledger does not have any more.
func (s *hears) forget(pool *ledger.State) {
	for host := range s.hosts {
		if pool.Host(host) == nil {
			delete(s.hosts, host)
		}
	}
}
