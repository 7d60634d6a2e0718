package slotter

import (
	"maps"
	"slices"

	"lull/slotter/steering"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/profile"
	"lull/subjects/spec"
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

func newSteerer(f *facts) *steerer {
	return &steerer{facts: f, survivals: &survivals{facts: f}, last: map[string]float64{}, began: map[string]int64{}}
}

// steers reports whether jobs are steered at all: it was asked for, and classes are known.
func (f *facts) steers() bool {
	last := f.state.Tenants.Last()
	return f.cfg.Steer == SteerPaper && last != nil && len(last.Classes) > 0
}

// waitsForSteering reports whether the word on a job's classes is still to come.
func (f *facts) waitsForSteering(j *ledger.Job) bool { return j.Steering == nil && f.steers() }

// fenceOf returns the classes on whose hosts the stage's tasks may run, nil for all. Tasks that
// publish run where the output is, and a job in danger wherever it can be saved.
func (f *facts) fenceOf(j *ledger.Job, st *spec.Stage) []string {
	if j.Steering == nil || len(j.Steering.Classes) == 0 || st.Publish || j.Endangered || !f.steers() {
		return nil
	}
	return j.Steering.Classes
}

// classOf is the class of a host's tenant, "" for none.
func (f *facts) classOf(h *ledger.Host) string {
	if said := f.state.TenantOf(h); said != nil {
		return said.Class
	}
	return ""
}

// sortHosts notes the class of each host anew.
func (s *steerer) sortHosts() {
	for _, h := range s.hosts.byName {
		h.class = s.classOf(h.life)
	}
	s.survivals.forget()
}

// decide steers the jobs that wait for it.
func (s *steerer) decide(b *batch) {
	if !s.steers() {
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

// steeringRound is what the selections of one decision share.
type steeringRound struct {
	*steerer
	classes []steering.Class // by name
	at      map[string]int
	claims  steering.Claims
	bounds  steering.Thresholds
	picked  []int
}

func (s *steerer) newRound() *steeringRound {
	r := &steeringRound{steerer: s, at: map[string]int{}}
	for i, c := range s.state.Tenants.Last().Classes {
		r.at[c.Name] = i
		r.classes = append(r.classes, steering.Class{Name: c.Name, Pattern: c.Pattern, Usage: steering.Usage{Average: c.Average, Peak: c.Peak}})
	}
	for _, h := range s.hosts.byName {
		if i, known := r.at[h.class]; known && h.life.Open() && h.usageAt != 0 {
			room := steering.Host{
				Cores: int(h.life.Joined.Cores), Used: 1 - h.idle/float64(h.life.Joined.Cores), Reserve: int(h.life.Joined.ReserveCPU),
				Held: steering.Whole(min(h.busy, h.slots)),
			}
			r.classes[i].Add(room.Room(r.classes[i].Usage), steering.Rooms{})
		}
	}
	for _, j := range s.jobs.bySeq {
		r.claim(j.life)
	}
	r.bounds = s.past.Thresholds(r.harvest)
	return r
}

// harvest is what the classes of a pattern can give to the jobs that prefer it.
func (r *steeringRound) harvest(p profile.Pattern) float64 {
	sum := steering.Cores(0)
	for i := range r.classes {
		if c := &r.classes[i]; c.Pattern == p {
			sum += c.Rooms[steering.Prefers(p)]
		}
	}
	return float64(sum)
}

// claim counts what a steered job may still claim.
func (r *steeringRound) claim(j *ledger.Job) {
	st := j.Steering
	if st == nil || len(st.Classes) == 0 {
		return
	}
	rooms := make(map[string]steering.Cores, len(st.Classes))
	for i, class := range st.Classes {
		rooms[class] = steering.Cores(st.Rooms[i])
	}
	held := steering.Cores(0)
	for i := range j.Stages {
		held += steering.Cores(j.Stages[i].Held) * steering.Whole(int(j.Shape.Stages[i].CPU))
	}
	r.claims.Steer(j.ID, steering.Cores(st.Need), rooms)
	r.claims.Hold(j.ID, held)
}

// steer selects the classes of a job. It returns nil if a job that is to be steered anew would
// be no better off.
func (r *steeringRound) steer(j *ledger.Job, anew string) *subjects.Steered {
	last := r.last[j.Shape.Type]
	e := &subjects.Steered{Job: j.ID, Length: r.bounds.Length(last).String(), Last: last, Need: int64(steering.Need(j.Shape)), Anew: anew}
	job := steering.Job{ID: j.ID, Length: r.bounds.Length(last), Need: steering.Cores(e.Need)}
	r.claims.End(j.ID)
	for i := range r.classes {
		c := &r.classes[i]
		c.Claimed = r.claims.Of(c.Name)
		e.Classes = append(e.Classes, subjects.SteeredClass{Name: c.Name, Headroom: int64(c.Headroom(job.Length)), Weight: r.cfg.Weights.Of(job.Length, c.Pattern)})
	}
	r.picked = steering.Select(r.picked[:0], r.classes, job, r.cfg.Weights)
	rooms := map[string]steering.Cores{}
	for _, i := range r.picked {
		e.Classes[i].Picked = true
		rooms[e.Classes[i].Name] = steering.Cores(e.Classes[i].Headroom)
	}
	if len(r.picked) == 0 && anew == subjects.SteeredStarved {
		return nil // no other class has headroom
	}
	if len(rooms) > 0 {
		r.claims.Steer(j.ID, job.Need, rooms)
	}
	return e
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

// steererForm is what a snapshot keeps.
type steererForm struct {
	Ends  []steering.Ended `msgpack:"ends,omitempty"`
	Next  int              `msgpack:"next,omitempty"`
	Types []string         `msgpack:"types,omitempty"` // sorted
	Last  []float64        `msgpack:"last,omitempty"`
	Jobs  []string         `msgpack:"jobs,omitempty"` // sorted
	Began []int64          `msgpack:"began,omitempty"`
}

func (s *steerer) save() *steererForm {
	if len(s.last)+len(s.began) == 0 {
		return nil
	}
	f := &steererForm{Ends: s.past.Ends, Next: s.past.Next, Types: slices.Sorted(maps.Keys(s.last)), Jobs: slices.Sorted(maps.Keys(s.began))}
	for _, t := range f.Types {
		f.Last = append(f.Last, s.last[t])
	}
	for _, j := range f.Jobs {
		f.Began = append(f.Began, s.began[j])
	}
	return f
}

func (s *steerer) load(f *steererForm) {
	if f == nil {
		return
	}
	s.past = steering.Past{Ends: f.Ends, Next: f.Next}
	for i, t := range f.Types[:min(len(f.Types), len(f.Last))] {
		s.last[t] = f.Last[i]
	}
	for i, j := range f.Jobs[:min(len(f.Jobs), len(f.Began))] {
		s.began[j] = f.Began[i]
	}
}
