package slotter

import (
	"slices"

	"lull/slotter/steering"
	"lull/subjects"
	"lull/subjects/ledger"
)

// steerer selects the classes of tenants on whose hosts jobs run: see package steering. It logs the
// selection before a job's first task. A job waits for it no longer than a decision takes.
type steerer struct {
	*facts
	survivals *survivals
	past      steering.Past
	last      map[string]float64 // seconds that the type's last job ran
	began     map[string]int64   // when a live job's first attempt started, Unix nanoseconds
}

const (
	// starved is how long a steered job may be given nothing before it is steered anew, if
	// other classes have headroom.
	starved = int64(5 * 60 * 1e9)
	// mostTypes bounds the types of which the last run is remembered.
	mostTypes = 10_000
)

// newSteerer returns a steerer that knows of no run.
func newSteerer(f *facts) *steerer {
	return &steerer{facts: f, survivals: newSurvivals(f), last: map[string]float64{}, began: map[string]int64{}}
}

// sortHosts notes the class of each host anew.
func (s *steerer) sortHosts() {
	for _, h := range s.hosts.byName {
		h.class = classOf(s.facts, h.life)
	}
	s.survivals.forget()
}

// decide steers the jobs that wait for it.
func (s *steerer) decide(b *batch) {
	if !steers(s.facts) {
		return
	}
	var round *steeringRound
	for _, j := range s.jobs.bySeq {
		anew := s.anew(j)
		if j.life.Steering != nil && anew == "" || b.room() == 0 {
			continue
		}
		if round == nil {
			round = s.newRound()
		}
		if e := round.steer(j.life, anew); e != nil {
			b.add(e)
		}
	}
}

// anew is why a steered job is steered again, "" if it is not.
func (s *steerer) anew(j *job) string {
	st := j.life.Steering
	switch {
	case st == nil || len(st.Classes) == 0:
		return ""
	case !slices.ContainsFunc(s.hosts.byName, func(h *host) bool { return h.life.Open() && slices.Contains(st.Classes, h.class) }):
		return subjects.SteeredVanished
	case s.now-max(j.served, st.At) > starved && j.life.Held() == 0:
		return subjects.SteeredStarved
	}
	return ""
}

// started notes when an attempt of a job started, by the log's time: the first one counts.
func (s *steerer) started(j *ledger.Job, at int64) {
	if j == nil || !j.Live() {
		return
	}
	if began, known := s.began[j.ID]; !known || at < began {
		s.began[j.ID] = at
	}
}

// ended learns from how long a finished job ran, and forgets it.
func (s *steerer) ended(id string, j *ledger.Job) {
	began, known := s.began[id]
	delete(s.began, id)
	if !known || j == nil || j.Phase != ledger.Finished {
		return
	}
	ran := float64(s.state.Now()-began) / 1e9
	if _, known := s.last[j.Shape.Type]; known || len(s.last) < mostTypes {
		s.last[j.Shape.Type] = ran
	}
	s.past.Add(steering.Ended{Seconds: ran, Work: j.Totals.CPU})
}
