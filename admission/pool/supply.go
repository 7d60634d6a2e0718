package pool

import (
	"iter"
	"time"

	"lull/admission/facts"
	"lull/admission/level"
	"lull/admission/outlook"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/room"
)

// supply is what the pool offers, as of the last look, at most a second ago: a look is a walk over
// all that runs. What was finished since then only makes its predictions safer.
type supply struct {
	*facts.Facts
	Usage  map[string]*outlook.Window // what hosts' primaries leave idle
	days   days
	At     int64 // Unix nanoseconds, 0: look again
	offers []offer
	Slots  int // that the offers have
	Warp   outlook.Warp
	Seats  Seats // of the slots, made when a prediction first needs them: see pool.seats
	Level  *level.Level
	fences fences
	Active []*Load // with tasks on the level's slots
	// blocking is the longest time that one of those takes on the worst slot,
	// in seconds.
	blocking float64
	worth    float64 // margin that the units were weighed with

	last *Load // the next turn begins after it, or at the queue's beginning if nil
	Due  int   // number of jobs due
}

// AddUsage takes in a host's usage. The first sample of a host changes the pool at
// once.
func (s *supply) AddUsage(sample subjects.Telemetry) {
	u, ok := sample.(*subjects.Usage)
	if !ok {
		return
	}
	w := s.Usage[u.Host]
	if w == nil || s.Now-w.Heard > int64(s.Config.Stale) {
		if s.Ledger.Host(u.Host) == nil {
			return
		}
		w, s.At = new(outlook.Window), 0
		s.Usage[u.Host] = w
	}
	w.Add(s.Now, s.leaves(w, u))
	w.Mean, w.Observed, w.Cores = u.Usual, u.Observed, float64(u.Cores)
}

// leaves returns the cores that the host's primary leaves. A host with a core reserve counts whole
// cores, and those of a burst for some seconds longer. So do the promises that depend on it.
func (s *supply) leaves(w *outlook.Window, u *subjects.Usage) float64 {
	host := s.Ledger.Host(u.Host)
	if host == nil {
		return u.Idle
	}
	kept := room.Of(&host.Joined)
	if kept.CPU == 0 {
		return u.Idle
	}
	w.Meter.Add(kept, u)
	return max(min(u.Idle, float64(int(kept.Cores)-w.Meter.Primary)), 0)
}

// offer is what one host adds to the pool when batch work fills it: each slot then has the least
// residual that it will get.
type offer struct {
	host *ledger.Host
	term uint64 // of which this is: memory, slots and labels go with it
	// class is the class of the host's tenant, "" for none.
	class string
	outlook.Outlook
}

// outlooks returns the outlooks of offers.
func outlooks(offers []offer) iter.Seq[*outlook.Outlook] {
	return func(yield func(*outlook.Outlook) bool) {
		for i := range offers {
			if !yield(&offers[i].Outlook) {
				return
			}
		}
	}
}

// list returns what hosts offer now. A paused pool offers nothing: how long the pause
// lasts is unknown.
func (s *supply) list() []offer {
	var all []offer
	hosts := s.Ledger.Hosts()
	days := s.days.look(hosts)
	for i, host := range hosts {
		if s.Ledger.Paused || !host.Open() {
			continue
		}
		if o := s.expect(host, days[i]); o.Most() > 0 {
			all = append(all, offer{host, host.Term, s.classOf(host), o})
		}
	}
	return all
}

// expect is what the host is expected to leave: by its tenant's day if that is known.
func (s *supply) expect(host *ledger.Host, day *tenantDay) outlook.Outlook {
	now, slots, kept := s.Idle(host), int(host.Joined.Slots), room.Of(&host.Joined)
	if foresee := s.Config.Foresee; foresee != nil {
		return outlook.FromIdle(slots, kept, func(from, until time.Duration) float64 { return foresee(host.Name, time.Unix(0, s.Now), from, until) })
	}
	if day == nil || !s.fresh(host) {
		return outlook.Expect(now, s.usual(host, now), slots, kept)
	}
	cores := float64(host.Joined.Cores)
	return day.Expect(now, day.Usual(s.Usage[host.Name], cores), cores, slots, kept)
}

// Idle returns the host's idle cores, 0 when they are unknown. A host without heartbeats may be
// dead, and a promise must not depend on it. The paper's mode takes the present reading.
func (s *supply) Idle(host *ledger.Host) float64 {
	switch w := s.Usage[host.Name]; {
	case !s.fresh(host):
		return 0
	case s.Config.Mode == subjects.ModeEq7:
		return w.Now()
	default:
		return w.Lately()
	}
}

// usual returns what the host is expected to leave idle when the present says nothing any more. A
// host without heartbeats may be dead. The paper's mode takes the present for all time.
func (s *supply) usual(host *ledger.Host, now float64) float64 {
	if !s.fresh(host) || s.Config.Mode == subjects.ModeEq7 {
		return now
	}
	return s.Usage[host.Name].Usual(now)
}

// fresh reports whether the host's usage is known as it is now.
func (s *supply) fresh(host *ledger.Host) bool {
	w := s.Usage[host.Name]
	return w != nil && s.Now-w.Heard <= int64(s.Config.Stale)
}
