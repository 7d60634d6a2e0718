package placer

import (
	"cmp"
	"math"

	"lull/placer/picture"
	"lull/placer/topology"
	"lull/subjects"
	"lull/subjects/spec"
)

type promise = topology.Promise

// placed is the word on a job for which a search has ended.
func (a *Actor) placed(r *Searched) *subjects.Placed {
	j := a.state.Job(r.Job)
	switch {
	case r.Err != nil || len(r.Answer.Hosts) == 0 || math.IsInf(r.Answer.Result.Seconds, 0):
		return a.unplaced(&r.Search, subjects.PlacedNowhere)
	case r.Answer.Moving < a.cfg.Worth && !asked(j.Shape):
		return a.predicted(r, subjects.PlacedLittle)
	case !a.state.Accuracy(j.Shape.Type).Fits():
		return a.predicted(r, subjects.PlacedUnfit)
	}
	e := a.predicted(r, "")
	for i, h := range r.Answer.Hosts {
		e.Hosts = append(e.Hosts, subjects.PlacedHost{Host: r.pool.Full.Hosts[h].Name, Slots: uint32(r.Answer.Slots[i])})
	}
	e.Links = picture.Promised(r.pool.Full, r.Answer.Crossed, max(r.Answer.Result.Seconds, 1e-3))
	return e
}

// predicted is what a search found, without hosts. A job that may run anywhere is predicted as if one
// host of each rack in turn were given it, as the slotter does without a word.
func (a *Actor) predicted(r *Searched, why string) *subjects.Placed {
	e := a.unplaced(&r.Search, why)
	e.Seed, e.Evaluations, e.Bound = r.Question.Seed, uint32(r.Answer.Evaluations), rounded(r.Answer.Bound)
	result := r.Answer.Result
	for i := range r.Answer.Baselines {
		b := &r.Answer.Baselines[i]
		if math.IsInf(b.Result.Seconds, 0) {
			continue
		}
		e.Baselines = append(e.Baselines, subjects.PlacedBy{Policy: b.Name, Seconds: rounded(b.Result.Seconds)})
		if i == 0 && why != "" {
			result = b.Result
		}
	}
	e.Seconds, e.Harvested, e.Moving = rounded(result.Seconds), rounded(result.Harvested), rounded(result.Moving())
	return e
}

// unplaced says that a job may run on every host.
func (a *Actor) unplaced(s *Search, why string) *subjects.Placed {
	return &subjects.Placed{Job: s.Job, Why: why, Objective: wishOf(s.Question.Wish), Known: s.Known, Anew: s.Anew, Left: uint32(len(s.pool.Out))}
}

// wishOf is what hosts are chosen by.
func wishOf(place string) string { return cmp.Or(place, spec.PlaceFast) }

// rounded keeps what people read, and no bits that differ between processors.
func rounded(x float64) float64 { return math.Round(x*1e4) / 1e4 }
