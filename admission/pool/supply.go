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

// supply is what the pool's hosts offer batch work, as of the last refresh. A refresh walks over all
// running tasks, so it is made at most once a second. Work finished since then is still counted as
// to be done, which makes predictions later and so safer.
type supply struct {
	*facts.Facts
	Usage  map[string]*outlook.Window // by host: the cores that its primary leaves idle
	days   days
	At     int64 // time of the last refresh, Unix nanoseconds; 0: refresh before the next use
	offers []offer
	Slots  int // the sum over the offers
	Warp   outlook.Warp
	Seats  Seats // one for each slot, made when a prediction first needs them: see pool.seats
	Level  *level.Level
	fences fences
	Active []*Load // jobs that have tasks on the level's slots
	// blocking is the longest time, in seconds, that a task of the Active jobs takes on the worst
	// slot.
	blocking   float64
	costMargin float64 // margin of recalibration with which the costs of tasks were last computed

	last *Load // where Refresh stopped updating; it goes on after it, or at the queue's beginning if nil
	Due  int   // number of jobs that Refresh has yet to update
}

// AddUsage takes in a sample of a host's usage and ignores all other telemetry. With the first
// sample of a host, or the first after a silence, the offers are listed anew before the next use.
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
	w.Add(s.Now, s.idleCores(w, u))
	w.Mean, w.Observed, w.Cores = u.Usual, u.Observed, float64(u.Cores)
}

// idleCores returns the cores that the host's primary leaves. A host with a core reserve rounds what the
// primary uses up to whole cores, and counts the cores of a burst for some seconds longer. Promises
// must assume the same, so leaves counts as the host does.
func (s *supply) idleCores(w *outlook.Window, u *subjects.Usage) float64 {
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
	term uint64 // the host's term: its memory, slots and labels are fixed within one
	// class is the class of the host's tenant, "" for none.
	class string
	outlook.Outlook
}

// outlooks yields the outlook of each offer.
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

// expect returns what the host is expected to leave. It uses the day of the host's tenant if that is
// known.
func (s *supply) expect(host *ledger.Host, day *tenantDay) outlook.Outlook {
	now, slots, kept := s.Idle(host), int(host.Joined.Slots), room.Of(&host.Joined)
	if foresee := s.Config.PredictIdle; foresee != nil {
		return outlook.FromIdle(slots, kept, func(from, until time.Duration) float64 { return foresee(host.Name, time.Unix(0, s.Now), from, until) })
	}
	if day == nil || !s.fresh(host) {
		return outlook.Expect(now, s.usual(host, now), slots, kept)
	}
	cores := float64(host.Joined.Cores)
	return day.Expect(now, day.Usual(s.Usage[host.Name], cores), cores, slots, kept)
}

// Idle returns the host's idle cores, 0 when they are unknown. A host without heartbeats may be
// dead, and a promise must not depend on it. The paper's mode takes the latest reading, the others
// take the mean of the host's window.
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

// usual returns the cores that the host is expected to leave in the far future, where its present
// usage tells nothing. now is what Idle returned. It is returned for a host without heartbeats, where
// it is 0, and in the paper's mode, which expects no change.
func (s *supply) usual(host *ledger.Host, now float64) float64 {
	if !s.fresh(host) || s.Config.Mode == subjects.ModeEq7 {
		return now
	}
	return s.Usage[host.Name].Usual(now)
}

// fresh reports whether the last sample of the host's usage is recent enough.
func (s *supply) fresh(host *ledger.Host) bool {
	w := s.Usage[host.Name]
	return w != nil && s.Now-w.Heard <= int64(s.Config.Stale)
}
