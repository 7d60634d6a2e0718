package pacing

import (
	"math"
	"slices"

	"lull/subjects"
	"lull/subjects/ledger"
)

// report returns the rates of every host's tasks that differ from those sent last.
func (p *Pacer) report(room int) (events []subjects.Event) {
	held := false
	var here []*Job
	for _, h := range p.pool.State().Hosts() {
		here = here[:0]
		for _, at := range h.Attempts() {
			if j := p.pool.JobOf(at.Job); j != nil && !slices.Contains(here, j) {
				here = append(here, j)
			}
		}
		for _, j := range here {
			set := j.Life.Pace(h)
			held = held || j.target.limits() || set != nil && len(set.Rates) > 0
			if h.Gone || !j.target.differs(set) {
				continue
			}
			p.due = true // until it has come back
			if len(events) == room {
				return events
			}
			events = append(events, j.paced(h))
		}
	}
	p.held = held
	return events
}

// limits reports whether any stage is to be held to a rate.
func (t *target) limits() bool {
	return slices.ContainsFunc(t.rates, func(r subjects.Rate) bool { return r.Rate > 0 })
}

// differs reports whether a host needs a new rate: the last one differs, or went to an earlier
// incarnation.
func (t *target) differs(set *ledger.Pace) bool {
	if !set.InForce() {
		return t.limits() || set != nil && len(set.Rates) > 0
	}
	if !t.limits() {
		return len(set.Rates) > 0
	}
	return slices.ContainsFunc(t.rates, func(r subjects.Rate) bool {
		was := set.Rate(r.Stage)
		if was <= 0 || r.Rate <= 0 {
			return was > 0 || r.Rate > 0
		}
		return math.Abs(r.Rate-was) > offBy*was
	})
}

// paced returns the event with a job's rates on a host: those of the stages that have one.
func (j *Job) paced(h *ledger.Host) *subjects.Paced {
	e := &subjects.Paced{Host: h.Name, Job: j.Life.ID, Term: h.Term, Share: j.target.share, Why: j.target.why, For: j.target.forJobs}
	for _, r := range j.target.rates {
		if r.Rate > 0 {
			e.Rates = append(e.Rates, r)
		}
	}
	if e.Why == "" {
		e.Why = subjects.PaceShare
	}
	return e
}
