package tenants

import (
	"math"
	"math/bits"
	"time"

	"lull/slotter/facts"
	"lull/subjects"
	"lull/subjects/profile"
	"lull/subjects/survival"
)

// StayOdds tells how likely a task is to stay on a host for as long as it runs, from what the
// host's tenant did on past days: see package survival. A class lends its center's profile to
// members with few days of their own.
type StayOdds struct {
	*facts.Facts
	models  map[string]*survival.Model // by tenant, of those asked about; nil for an unknown one
	answers map[*facts.Host]*lasting   // of the hosts asked about
}

const (
	// durations is how many lengths of tasks are told apart: up to 16 s, and each twice the one before.
	durations    = 14
	leastSeconds = 16
	// fresh is how long an answer stands while the host's batch work stays as it is, and its primary
	// within alike of its cores. An answer costs some microseconds.
	fresh = int64(60 * 1e9)
	alike = 1. / 32
)

// Stay is what a task asks of a host: cores, and for how long, as a number of durations.
type Stay struct {
	width  uint32
	length int
}

// StayOf returns the stay of a task that takes so many cores and seconds.
func StayOf(width uint32, seconds float64) Stay {
	return Stay{width, min(bits.Len64(uint64(max(seconds, 0)/leastSeconds)), durations-1)}
}

// lasting is the latest answer about a host for each duration.
type lasting [durations]answer

type answer struct {
	at    int64   // when it was given, 0 for never
	busy  int     // slots that were to be busy, the task's among them
	idle  float64 // cores that the primary left
	stays float64
}

func newStayOdds(f *facts.Facts) *StayOdds { return &StayOdds{Facts: f} }

// forget drops what was made of the profiles before.
func (s *StayOdds) forget() {
	s.models, s.answers = map[string]*survival.Model{}, map[*facts.Host]*lasting{}
}

// Drop forgets a host.
func (s *StayOdds) Drop(h *facts.Host) { delete(s.answers, h) }

// Of is the probability that one task more stays on the host. It is 1 where nothing is known of the
// host's tenant: the present decides there, as without history.
func (s *StayOdds) Of(h *facts.Host, d Stay) float64 {
	if !s.HasModel(h) {
		return 1
	}
	known := s.answers[h]
	if known == nil {
		known = new(lasting)
		s.answers[h] = known
	}
	last, busy := &known[d.length], min(h.Busy, h.Slots)+int(d.width)
	near := math.Abs(last.idle-h.Idle) <= alike*float64(h.Life.Joined.Cores)
	if last.at == 0 || s.Now-last.at >= fresh || last.busy != busy || !near {
		*last = answer{s.Now, busy, h.Idle, s.ask(h, busy, time.Duration(leastSeconds<<d.length)*time.Second)}
	}
	return last.stays
}

// HasModel reports whether anything is known of the host's tenant.
func (s *StayOdds) HasModel(h *facts.Host) bool {
	return s.Config.PredictStay != nil || s.model(h) != nil
}

// model is the host's tenant's, nil for an unknown one. It is made when it is first asked for.
func (s *StayOdds) model(h *facts.Host) *survival.Model {
	if s.Ledger.Tenants.Last() == nil {
		return nil
	}
	name := s.Ledger.Owners.NameOf(h.Life)
	m, made := s.models[name]
	if learnt := s.Ledger.Tenants.Of(name); !made {
		if learnt != nil {
			m = survival.New(&learnt.Profile, s.center(learnt))
		}
		s.models[name] = m
	}
	return m
}

// center is the profile that a tenant's class lends it, nil for none.
func (s *StayOdds) center(learnt *subjects.Classified) *profile.Profile {
	class := s.Ledger.Tenants.Class(learnt.Class)
	if class == nil || class.Center == learnt.Tenant {
		return nil
	}
	if lender := s.Ledger.Tenants.Of(class.Center); lender != nil {
		return &lender.Profile
	}
	return nil
}

func (s *StayOdds) ask(h *facts.Host, busy int, lasts time.Duration) float64 {
	joined := &h.Life.Joined
	cores := float64(joined.Cores)
	room := survival.Room(cores, float64(joined.ReserveCPU), float64(busy))
	if s.Config.PredictStay != nil {
		return s.Config.PredictStay(joined.Host, time.Unix(0, s.Now), room, lasts)
	}
	used := max(0, 1-h.Idle/cores)
	if used > room {
		return 0
	}
	return s.model(h).Survives(time.Unix(0, s.Now), used, room, lasts)
}
