package story

import (
	"math"
	"slices"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
)

// Rates is how fast a job's running tasks read, beside their set rates. Rates are in bytes/s, of
// all of them together; null is what is unknown.
type Rates struct {
	Tasks     int      `json:"tasks"`     // that run
	Targeted  int      `json:"target"`    // of them, those that have a set rate
	Measured  int      `json:"measured"`  // of them, those with a recent sample
	Reference *float64 `json:"reference"` // of those that have one
	Now       *float64 `json:"now"`       // of those that were measured
	Cap       *float64 `json:"cap_cores"` // of those that are capped
	// Short is the number of tasks that cannot reach their set rate.
	Short int      `json:"short"`
	Share *float64 `json:"share"` // of what the pool reads, 0–1
	Why   string   `json:"why"`   // "share" or "deadline", "" for no reference
	// Reaches is whether the reference is, or can be, reached; null if nothing was measured or no
	// rate is set.
	Reaches *bool `json:"reaches_reference"`
	// Left is the bytes of input of its tasks that have not finished. ReadBy is when these will have been
	// read, in RFC 3339: at the set rate if the job reaches it, else at the present rate.
	Left   int64  `json:"left"`
	ReadBy string `json:"read_by,omitempty"`
	// For are open jobs that it gives way to, From those that give way to it.
	For  []string `json:"gives_way_to"`
	From []string `json:"given_way_by"`

	readBy time.Time
}

// RatesOf compares the set rates of a job's tasks in the log with the hosts' reports.
func RatesOf(s *ledger.State, j *ledger.Job, speeds map[subjects.AttemptOn]subjects.Speed, now time.Time) *Rates {
	r := &Rates{For: []string{}, From: []string{}}
	for _, h := range s.Hosts() {
		for _, at := range h.Attempts() {
			if at.Job == j && at.Holds() {
				r.count(at, speeds)
			}
		}
	}
	r.judge()
	r.reasons(s, j)
	r.left(j, now)
	return r
}

// count adds a task that runs.
func (r *Rates) count(at *ledger.Attempt, speeds map[subjects.AttemptOn]subjects.Speed) {
	r.Tasks++
	if target := at.Rate(); target > 0 {
		r.Targeted++
		addTo(&r.Reference, target)
	}
	speed, heard := speeds[subjects.AttemptOn{Host: at.Host.Name, Attempt: at.ID}]
	if !heard || speed.Storing > 0 {
		return // it has read its input
	}
	r.Measured++
	addTo(&r.Now, speed.Rate)
	if speed.Cap > 0 {
		addTo(&r.Cap, speed.Cap)
	}
	if speed.Short {
		r.Short++
	}
}

func addTo(to **float64, x float64) {
	if *to == nil {
		*to = new(float64)
	}
	**to += x
}

// reached is the part of a reference that counts as all of it: rates are of one
// second, and controllers keep means.
const reached = 0.9

func (r *Rates) judge() {
	if r.Reference == nil || r.Now == nil {
		return
	}
	reaches := r.Short == 0
	if r.Measured == r.Tasks && r.Targeted == r.Tasks {
		reaches = reaches || *r.Now >= reached**r.Reference
	}
	r.Reaches = &reaches
}

// reasons finds the jobs that compete with the job: those that it gives way to, and those that give
// way to it.
func (r *Rates) reasons(s *ledger.State, j *ledger.Job) {
	for o := range s.LiveJobs().All() {
		for _, p := range o.Paces() {
			switch {
			case !p.InForce() || len(p.Rates) == 0:
			case o == j:
				share := math.Round(p.Share*1e4) / 1e4
				r.Share, r.Why, r.For = &share, p.Why, openJobs(s, p.For)
			case slices.Contains(p.For, j.ID) && o.Held() > 0 && !slices.Contains(r.From, o.ID):
				r.From = append(r.From, o.ID)
			}
		}
	}
}

// openJobs returns those of some jobs that have not ended.
func openJobs(s *ledger.State, ids []string) []string {
	live := []string{}
	for _, id := range ids {
		if j := s.Job(id); j != nil && j.Live() {
			live = append(live, id)
		}
	}
	return live
}

// left sets Left and ReadBy.
func (r *Rates) left(j *ledger.Job, now time.Time) {
	for i := range j.Stages {
		r.Left += int64(j.Left(i)) * j.Stages[i].Bytes
	}
	rate := 0.0
	switch {
	case r.Reaches != nil && *r.Reaches && r.Targeted == r.Tasks:
		rate = *r.Reference
	case r.Now != nil:
		rate = *r.Now
	}
	if seconds := float64(r.Left) / rate; rate > 0 && r.Left > 0 && seconds < 1e9 {
		r.readBy = now.Add(time.Duration(seconds * 1e9))
		r.ReadBy = r.readBy.UTC().Format(time.RFC3339)
	}
}
