package pacing

import "lull/subjects/ledger"

// running are the attempts of a stage that run.
type running struct {
	oldest, newest uint64  // attempts
	began          int64   // when the oldest was assigned
	rate           float64 // highest in force for any of them, 0 for as fast as it may
}

// spareAll keeps each stage from being slowed while attempts run that began at a higher rate. It
// goes by stages, because hosts have one rate for each.
func (p *Pacer) spareAll() {
	type stage struct {
		job   *Job
		stage uint32
	}
	at := map[stage]running{}
	for j, attempt := range p.pool.Running() {
		of := stage{j, attempt.Task.Stage}
		at[of] = at[of].with(attempt)
	}
	for j := range p.pool.Jobs() {
		for i := range j.target.rates {
			r := &j.target.rates[i]
			r.Rate = spare(&j.Stages[r.Stage].Spared, at[stage{j, r.Stage}], r.Rate, p.Divided)
		}
	}
}

func (r running) with(at *ledger.Attempt) running {
	target := at.Rate()
	if r.newest == 0 {
		return running{at.ID, at.ID, at.Assigned, target}
	}
	fastest := max(r.rate, target)
	if r.rate <= 0 || target <= 0 {
		fastest = 0
	}
	if at.ID < r.oldest {
		r.oldest, r.began = at.ID, at.Assigned
	}
	return running{r.oldest, max(r.newest, at.ID), r.began, fastest}
}

// spare returns the rate that the stage gets instead of a lower one. It is its present rate, until
// all attempts have ended that ran when it was first to be lowered. A stage that has begun since
// the last division was promised nothing.
func spare(spared *uint64, now running, rate float64, divided int64) float64 {
	lower := rate > 0 && (now.rate <= 0 || rate < now.rate)
	if !lower || now.newest == 0 || divided != 0 && now.began >= divided {
		*spared = 0
		return rate
	}
	if *spared == 0 {
		*spared = now.newest
	}
	if now.oldest <= *spared {
		return now.rate
	}
	return rate
}
