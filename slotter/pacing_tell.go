package slotter

import (
	"math"
	"slices"

	"lull/subjects"
	"lull/subjects/ledger"
)

// report tells every host what the tasks that it runs should read, where that is
// not what it was told.
func (p *pacing) report(b *batch) {
	said := false
	var here []*job
	for _, h := range p.hosts.byName {
		here = here[:0]
		for _, at := range h.life.Attempts() {
			if j := p.jobs.of[at.Job]; j != nil && !slices.Contains(here, j) {
				here = append(here, j)
			}
		}
		for _, j := range here {
			told := j.life.Pace(h.life)
			said = said || j.pace.limits() || told != nil && len(told.Rates) > 0
			if h.life.Gone || !j.pace.differs(told) {
				continue
			}
			p.due = true // until it has come back
			if b.room() == 0 {
				return
			}
			b.add(j.paced(h.life))
		}
	}
	p.said = said
}

// limits reports whether any stage is to be held to a rate.
func (p *pace) limits() bool {
	return slices.ContainsFunc(p.rates, func(r subjects.Rate) bool { return r.Rate > 0 })
}

// differs reports whether a host should hear of this pace: because what it was
// told is off, or was told to an incarnation before.
func (p *pace) differs(told *ledger.Pace) bool {
	if !told.InForce() {
		return p.limits() || told != nil && len(told.Rates) > 0
	}
	if !p.limits() {
		return len(told.Rates) > 0
	}
	return slices.ContainsFunc(p.rates, func(r subjects.Rate) bool {
		was := told.Rate(r.Stage)
		if was <= 0 || r.Rate <= 0 {
			return was > 0 || r.Rate > 0
		}
		return math.Abs(r.Rate-was) > offBy*was
	})
}

// paced is what a host is told of a job: rates of the stages that have one.
func (j *job) paced(h *ledger.Host) *subjects.Paced {
	e := &subjects.Paced{Host: h.Name, Job: j.life.ID, Term: h.Term, Share: j.pace.share, Why: j.pace.why, For: j.pace.sakes}
	for _, r := range j.pace.rates {
		if r.Rate > 0 {
			e.Rates = append(e.Rates, r)
		}
	}
	if e.Why == "" {
		e.Why = subjects.PaceShare
	}
	return e
}

// heldTo is the rate of an attempt that reads no faster than it is told to.
func heldTo(at *ledger.Attempt, free rate) rate {
	told := at.Rate()
	bytes := at.Job.Stages[at.Task.Stage].Bytes
	if told <= 0 || bytes <= 0 {
		return free
	}
	return min(free, max(rate(rateUnit*told/float64(bytes)), 1))
}
