package tenants

import (
	"lull/slotter/steering"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/profile"
)

// steeringRound is what the selections of one decision share.
type steeringRound struct {
	*Steerer
	classes []steering.Class // by name
	at      map[string]int
	claims  steering.Claims
	bounds  steering.Thresholds
	picked  []int
}

func (s *Steerer) newRound() *steeringRound {
	r := &steeringRound{Steerer: s, at: map[string]int{}}
	for i, c := range s.Ledger.Tenants.Last().Classes {
		r.at[c.Name] = i
		r.classes = append(r.classes, steering.Class{Name: c.Name, Pattern: c.Pattern, Usage: steering.Usage{Average: c.Average, Peak: c.Peak}})
	}
	for _, h := range s.Hosts.ByName {
		if i, known := r.at[h.Class]; known && h.Life.Open() && h.UsageAt != 0 {
			room := steering.Host{
				Cores: int(h.Life.Joined.Cores), Used: 1 - h.Idle/float64(h.Life.Joined.Cores), Reserve: int(h.Life.Joined.ReserveCPU),
				Held: steering.Whole(min(h.Busy, h.Slots)),
			}
			r.classes[i].Add(room.Room(r.classes[i].Usage), steering.Rooms{})
		}
	}
	for _, j := range s.Jobs.BySeq {
		r.claim(j.Life)
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
		held += steering.Cores(j.Stages[i].Held) * steering.Cores(j.Shape.Stages[i].Cores())
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
		e.Classes = append(e.Classes, subjects.SteeredClass{Name: c.Name, Headroom: int64(c.Headroom(job.Length)), Weight: r.Config.Weights.Of(job.Length, c.Pattern)})
	}
	r.picked = steering.Select(r.picked[:0], r.classes, job, r.Config.Weights)
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
