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
func (at *attempt) work(now int64) int64 {
	return int64(min(at.progress(now), 1) * at.curve.Seconds(1) * float64(at.life.Width) * 1e3)
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
	lends := 0.0
	if c.deadline {
		lends = max(y.r.a.cfg.Borrow, 0)
	}
	return v.job.queue.MayYield(int(width), lends) && v.job.spares(y.r.now, lost)
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
		v.job.queue.Yields += int(v.life.Width)
		v.job.yields += v.rate
	}
}
