package slotter

import (
	"math"
	"math/bits"
	"time"

	"lull/subjects"
	"lull/subjects/profile"
	"lull/subjects/survival"
)

// survivals tells how likely a task is to stay on a host for as long as it runs, from what the
// host's tenant did on past days: see package survival. A class lends its center's profile to
// members with few days of their own.
type survivals struct {
	*facts
	models map[string]*survival.Model // by tenant
}

const (
	// durations are those that are told apart: up to 16 s, and each twice the one before.
	durations    = 14
	leastSeconds = 16
	// fresh is how long an answer stands while the host's batch work stays as it is, and its primary
	// within alike of its cores. An answer costs some microseconds.
	fresh = int64(60 * 1e9)
	alike = 1. / 32
)

// lasting is what is known of tasks of each length on a host.
type lasting struct {
	asked [durations]int64 // when, 0 for never
	busy  [durations]int   // batch work then
	idle  [durations]float64
	is    [durations]float64
}

// learn makes the tenants' models anew.
func (s *survivals) learn() {
	s.models = map[string]*survival.Model{}
	if s.cfg.Steer != SteerProfile {
		return
	}
	for said := range s.state.Tenants.All() {
		var center *profile.Profile
		if class := s.state.Tenants.Class(said.Class); class != nil && class.Center != said.Tenant {
			if other := s.state.Tenants.Of(class.Center); other != nil {
				center = &other.Profile
			}
		}
		s.models[said.Tenant] = survival.New(&said.Profile, center)
	}
	for _, h := range s.hosts.byName {
		h.lasting = nil
	}
}

// length is the number of a task's length among those that are told apart.
func length(seconds float64) int {
	return min(bits.Len64(uint64(max(seconds, 0)/leastSeconds)), durations-1)
}

// of is the probability that one task more of a length stays on the host. It is 1 where nothing is
// known of the host's tenant: the present decides there, as without history.
func (s *survivals) of(h *host, length int) float64 {
	if !s.knows(h) {
		return 1
	}
	if h.lasting == nil {
		h.lasting = new(lasting)
	}
	l := h.lasting
	near := math.Abs(l.idle[length]-h.idle) <= alike*float64(h.life.Joined.Cores)
	if l.asked[length] != 0 && s.now-l.asked[length] < fresh && l.busy[length] == h.busy && near {
		return l.is[length]
	}
	l.asked[length], l.busy[length], l.idle[length] = s.now, h.busy, h.idle
	l.is[length] = s.ask(h, time.Duration(leastSeconds<<length)*time.Second)
	return l.is[length]
}

// knows reports whether anything is known of the host's tenant.
func (s *survivals) knows(h *host) bool { return s.cfg.Foresee != nil || s.model(h) != nil }

func (s *survivals) model(h *host) *survival.Model {
	if len(s.models) == 0 {
		return nil
	}
	return s.models[subjects.TenantOf(h.life.Joined.Tenant, h.life.Name)]
}

func (s *survivals) ask(h *host, lasts time.Duration) float64 {
	joined := &h.life.Joined
	cores := float64(joined.Cores)
	used := max(0, 1-h.idle/cores)
	room := survival.Room(cores, float64(joined.ReserveCPU), float64(min(h.busy, h.slots)+1))
	if s.cfg.Foresee != nil {
		return s.cfg.Foresee(joined.Host, time.Unix(0, s.now), room, lasts)
	}
	model := s.model(h)
	switch {
	case model == nil:
		return 1
	case used > room:
		return 0
	}
	return model.Survives(time.Unix(0, s.now), used, room, lasts)
}
