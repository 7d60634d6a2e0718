package pacing

import (
	"cmp"
	"slices"

	"lull/slotter/capacity"
	"lull/subjects"
)

// contender is a job that competes for the pool's capacity.
type contender struct {
	job    *Job
	needed bool // for its deadline
	share  float64
}

// noteRivals notes for which other jobs a job reads less than it could. With Config.Spare,
// what runs goes on at its rate.
func (p *Pacer) noteRivals(plan []capacity.Queue, jobs [][]*Job) {
	if p.Spare {
		p.spareAll()
	}
	var all []contender
	for i := range plan {
		for k := range plan[i].Jobs {
			j := jobs[i][k]
			all = append(all, contender{j, j.target.why == subjects.PaceDeadline, j.target.share})
		}
	}
	slices.SortStableFunc(all, func(c, d contender) int {
		return cmp.Or(compareTrue(c.needed, d.needed), cmp.Compare(d.share, c.share), cmp.Compare(c.job.Life.Seq, d.job.Life.Seq))
	})
	for _, c := range all {
		if c.job.target.limits() {
			c.job.target.forJobs = others(all, c.job)
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
func others(all []contender, j *Job) (ids []string) {
	for _, c := range all {
		if c.job != j && c.share > 0 && len(ids) < subjects.MaxFor {
			ids = append(ids, c.job.Life.ID)
		}
	}
	return ids
}
