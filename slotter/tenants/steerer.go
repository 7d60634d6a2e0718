// Package tenants applies what is known of the tenants of hosts: a Steerer selects the classes on whose hosts a job
// runs, and StayOdds say how likely a task is to stay on a host for as long as it runs. The arithmetic is that of packages
// steering and survival.
package tenants

import (
	"slices"

	"lull/slotter/batch"
	"lull/slotter/facts"
	"lull/slotter/steering"
	"lull/subjects"
	"lull/subjects/ledger"
)

// Steerer selects the classes of tenants on whose hosts jobs run: see package steering. It logs the
// selection before a job's first task. A job waits for it no longer than a decision takes.
type Steerer struct {
	*facts.Facts
	StayOdds *StayOdds
	past     steering.Past
	last     map[string]float64 // seconds that the type's last job ran
	began    map[string]int64   // when a live job's first attempt started, Unix nanoseconds
}

const (
	// starved is how long a steered job may be given nothing before it is steered anew, if
	// other classes have headroom.
	starved = int64(5 * 60 * 1e9)
	// mostTypes bounds the types of which the last run is remembered.
	mostTypes = 10_000
)

// NewSteerer returns a steerer that knows of no run.
func NewSteerer(f *facts.Facts) *Steerer {
	return &Steerer{Facts: f, StayOdds: newStayOdds(f), last: map[string]float64{}, began: map[string]int64{}}
}

// SortHosts notes the class of each host anew.
func (s *Steerer) SortHosts() {
	for _, h := range s.Hosts.ByName {
		h.Class = Class(s.Facts, h.Life)
	}
	s.StayOdds.forget()
}

// Decide steers the jobs that wait for it.
func (s *Steerer) Decide(b *batch.Batch) {
	if !steers(s.Facts) {
		return
	}
	var round *steeringRound
	for _, j := range s.Jobs.BySeq {
		anew := s.whyAnew(j)
		if j.Life.Steering != nil && anew == "" || b.Room() == 0 {
			continue
		}
		if round == nil {
			round = s.newRound()
		}
		if e := round.steer(j.Life, anew); e != nil {
			b.Add(e)
		}
	}
}

// whyAnew is why a steered job is steered again, "" if it is not.
func (s *Steerer) whyAnew(j *facts.Job) string {
	st := j.Life.Steering
	switch {
	case st == nil || len(st.Classes) == 0:
		return ""
	case !slices.ContainsFunc(s.Hosts.ByName, func(h *facts.Host) bool { return h.Life.Open() && slices.Contains(st.Classes, h.Class) }):
		return subjects.SteeredVanished
	case s.Now-max(j.Served, st.At) > starved && j.Life.Held() == 0:
		return subjects.SteeredStarved
	}
	return ""
}

// Started notes when an attempt of a job started, by the log's time: the first one counts.
func (s *Steerer) Started(j *ledger.Job, at int64) {
	if j == nil || !j.Live() {
		return
	}
	if began, known := s.began[j.ID]; !known || at < began {
		s.began[j.ID] = at
	}
}

// Ended learns from how long a finished job ran, and forgets it.
func (s *Steerer) Ended(id string, j *ledger.Job) {
	began, known := s.began[id]
	delete(s.began, id)
	if !known || j == nil || j.Phase != ledger.Finished {
		return
	}
	ran := float64(s.Ledger.Now()-began) / 1e9
	if _, known := s.last[j.Shape.Type]; known || len(s.last) < mostTypes {
		s.last[j.Shape.Type] = ran
	}
	s.past.Add(steering.Ended{Seconds: ran, Work: j.Totals.CPU})
}
