package slotter

import (
	"cmp"
	"slices"

	"lull/slotter/capacity"
	"lull/subjects"
	"lull/subjects/ledger"
)

// contender is a job that competes for the pool's capacity.
type contender struct {
	job    *job
	needed bool // for its deadline
	share  float64
}

// giveWay notes for which other jobs a job reads less than it could. Where no job is
// to give way, what runs goes on at its rate.
func (p *pacing) giveWay(plan []capacity.Queue, jobs [][]*job) {
	if p.cfg.Preempt == PreemptNone {
		p.spareAll()
	}
	var all []contender
	for i := range plan {
		for k := range plan[i].Jobs {
			j := jobs[i][k]
			all = append(all, contender{j, j.pace.why == subjects.PaceDeadline, j.pace.share})
		}
	}
	slices.SortStableFunc(all, func(c, d contender) int {
		return cmp.Or(compareTrue(c.needed, d.needed), cmp.Compare(d.share, c.share), submittedFirst(c.job, d.job))
	})
	for _, c := range all {
		if c.job.pace.limits() {
			c.job.pace.sakes = others(all, c.job)
		}
	}
}

// compareTrue puts what is true first.
func compareTrue(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// others are the first jobs of a list that are not this one.
func others(all []contender, j *job) (ids []string) {
	for _, c := range all {
		if c.job != j && c.share > 0 && len(ids) < subjects.MaxFor {
			ids = append(ids, c.job.life.ID)
		}
	}
	return ids
}

// running is what a stage has at work.
type running struct {
	oldest, newest uint64  // attempts
	began          int64   // when the oldest was assigned
	told           float64 // highest rate that any was told, 0 for as fast as it may
}

// spareAll lets no stage be slowed as long as attempts run that began faster. It
// goes by stages, because hosts are told so.
func (p *pacing) spareAll() {
	at := map[*stage]running{}
	for _, h := range p.hosts.byName {
		for i := range h.attempts {
			s := &h.attempts[i]
			at[s.stage()] = at[s.stage()].with(s.life)
		}
	}
	for _, j := range p.jobs.bySeq {
		for i := range j.pace.rates {
			r := &j.pace.rates[i]
			st := &j.stages[r.Stage]
			r.Rate = st.spare(at[st], r.Rate, p.at)
		}
	}
}

func (r running) with(at *ledger.Attempt) running {
	told := at.Rate()
	if r.newest == 0 {
		return running{at.ID, at.ID, at.Assigned, told}
	}
	fastest := max(r.told, told)
	if r.told <= 0 || told <= 0 {
		fastest = 0
	}
	if at.ID < r.oldest {
		r.oldest, r.began = at.ID, at.Assigned
	}
	return running{r.oldest, max(r.newest, at.ID), r.began, fastest}
}

// spare is the rate that the stage is told instead of a lower one: the one that it
// has, until all have ended that ran when it was first to be lowered. A stage that
// has begun since rates were divided last was promised nothing.
func (st *stage) spare(now running, rate float64, divided int64) float64 {
	lower := rate > 0 && (now.told <= 0 || rate < now.told)
	if !lower || now.newest == 0 || divided != 0 && now.began >= divided {
		st.spared = 0
		return rate
	}
	if st.spared == 0 {
		st.spared = now.newest
	}
	if now.oldest <= st.spared {
		return now.told
	}
	return rate
}
