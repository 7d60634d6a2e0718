package placer

import (
	"cmp"
	"math"
	"slices"
	"time"

	"lull/placer/picture"
	"lull/placer/topology"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

type promise = topology.Promise

// placedEvent returns the event that tells the result of a job's search: the hosts that the job is kept
// to, or that it may run on every host.
func (a *Actor) placedEvent(r *Searched) *subjects.Placed {
	j := a.state.Job(r.Job)
	why := a.refusal(r, j.Shape)
	if why == subjects.PlacedNowhere {
		return unplacedEvent(&r.Search, why)
	}
	e := a.predictedEvent(r, why)
	if why != "" {
		return e
	}
	for i, h := range r.Answer.Hosts {
		e.Hosts = append(e.Hosts, subjects.PlacedHost{Host: r.pool.Full.Hosts[h].Name, Slots: uint32(r.Answer.Slots[i])})
	}
	e.Links = picture.Promised(r.pool.Full, r.Answer.Crossed, max(r.Answer.Result.Seconds, 1e-3))
	return e
}

// predictedEvent returns the event with the predictions of a search, and without hosts. If why is not
// empty, the job may run on every host, and the prediction is for that.
func (a *Actor) predictedEvent(r *Searched, why string) *subjects.Placed {
	e := unplacedEvent(&r.Search, why)
	e.Seed, e.Evaluations, e.Bound = r.Question.Seed, uint32(r.Answer.Evaluations), rounded(r.Answer.Bound)
	for _, b := range append(slices.Clone(r.Answer.Baselines), r.Answer.Anywhere) {
		if !math.IsInf(b.Result.Seconds, 0) {
			e.Baselines = append(e.Baselines, subjects.PlacedBy{Policy: b.Name, Seconds: rounded(b.Result.Seconds)})
		}
	}
	result := r.Answer.Result
	if why != "" {
		result = r.Answer.Anywhere.Result
	}
	e.Seconds, e.Harvested, e.Moving = rounded(result.Seconds), rounded(result.Harvested), rounded(result.Moving())
	return e
}

// unplacedEvent returns an event without hosts and predictions. By it, a job may run on every host.
func unplacedEvent(s *Search, why string) *subjects.Placed {
	return &subjects.Placed{Job: s.Job, Why: why, Objective: wishOf(s.Question.Wish), Known: s.AsOf, Anew: s.Anew, Left: uint32(len(s.pool.Out))}
}

// wishOf returns the objective that a job's wish names, spec.PlaceFast if it has no wish.
func wishOf(place string) string { return cmp.Or(place, spec.PlaceFast) }

// never is greater than any time or amount that is predicted for a job that ends.
const never = 1e18

// rounded rounds x to four decimals. The digits after these may differ between processors. From never on,
// +Inf and NaN included, it returns 0 for unknown, because the log does not take such numbers.
func rounded(x float64) float64 {
	if !(x < never) { // also true for NaN
		return 0
	}
	return math.Round(x*1e4) / 1e4
}

// promised returns what placed jobs other than except are predicted to move over the links. It leaves out
// jobs that have not begun within promiseAge of their placement.
func (a *Actor) promised(now time.Time, pool *picture.Pool, except *ledger.Job) (all []promise) {
	for j := range a.state.LiveJobs().All() {
		p := j.Placement
		if p == nil || j == except || len(p.Links) == 0 || p.Began == 0 && now.Sub(time.Unix(0, p.At)) > promiseAge {
			continue
		}
		all = append(all, picture.PromiseOf(pool.Tree, p.Links))
	}
	return all
}
