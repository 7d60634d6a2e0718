package slotter

import (
	"slices"

	"lull/subjects"
	"lull/subjects/ledger"
)

// victim is an attempt that may have to end.
type victim struct {
	life *ledger.Attempt
	job  *job
	rate rate
	lost int64 // work, in milliseconds of a core
}

// work is what the attempt has done, in milliseconds of an idle core: what is lost
// when it ends.
func (s *share) work(now int64) int64 {
	return int64(min(s.progress(now), 1) * s.curve.Seconds(1) * float64(s.life.Width) * 1e3)
}

func sum(victims []victim) (lost int64) {
	for _, v := range victims {
		lost += v.lost
	}
	return lost
}

// mayEnd reports whether the attempt may end for the claimant, beside others that
// are about to.
func (y *yard) mayEnd(v victim, c *claimant, beside []victim) bool {
	width, lost := v.life.Width, v.job.yields+v.rate
	for _, o := range beside {
		if o.job.queue == v.job.queue && !o.life.Rival {
			width += o.life.Width
		}
		if o.job == v.job {
			lost += o.rate
		}
	}
	switch {
	case v.job == c.work.job:
		return false
	case v.life.Rival:
		return true
	case v.job.queue == c.work.job.queue:
		return c.deadline && v.job.due > c.work.job.due && v.job.spares(y.r.now, lost)
	}
	q := v.job.queue
	return float64(q.held-q.yields-int(width)) >= y.floor(q, c) && v.job.spares(y.r.now, lost)
}

// floor is what a queue keeps: its share, and for another's deadline the part of it
// that it does not lend.
func (y *yard) floor(q *queue, c *claimant) float64 {
	if c.deadline {
		return q.fair * (1 - max(y.r.a.cfg.Borrow, 0))
	}
	return q.fair
}

// spares reports whether the job is in time without attempts of that rate.
func (j *job) spares(now int64, lost rate) bool {
	if j.due == never || j.due <= now {
		return true
	}
	return j.left(now)*float64(j.rate-lost) >= caution*float64(j.remaining)*rateUnit
}

// end says that an attempt is to end for the claimant.
func (y *yard) end(b *batch, p *place, c *claimant, v victim) {
	b.add(&subjects.Revoked{
		Host: p.host.life.Name, Job: v.job.life.ID, Attempt: v.life.ID, Why: c.why(y.r.now), For: c.work.job.life.ID,
	})
	p.free(v.life)
	p.victims = slices.DeleteFunc(p.victims, func(o victim) bool { return o.life == v.life })
	if !v.life.Rival {
		v.job.queue.yields += int(v.life.Width)
		v.job.yields += v.rate
	}
}
