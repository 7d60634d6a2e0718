package judge

import (
	"lull/admission/level"
	"lull/admission/pool"
	"lull/admission/span"
)

// Current predicts the end of each job, without reserve or variance. It is false if the queue is
// too long to be played.
func (j *Judge) Current(see func(l *pool.Load, finish span.Micros)) bool {
	queue := j.Pool.Queue.Few()
	r, ok := j.Rehearse(queue, nil)
	if !ok {
		return false
	}
	for i := range r.startJobs {
		r.startJobs[i].wanted = true
	}
	r.Takes = 1
	r.Each(func(p *Play) {
		for i, l := range queue {
			see(l, p.Jobs[i].End)
		}
	})
	return true
}

// PredictEnd predicts the end of a job of the queue by the work before it.
func (j *Judge) PredictEnd(l *pool.Load) span.Micros {
	at := j.Pool.Queue.Before(func(other *pool.Load) bool { return pool.Earlier(other, l) >= 0 })
	_, finish := j.PredictBehind(l, j.Pool.Queue.Work(at))
	return finish
}

// DurationAlone is how long the job would take if nothing were before it.
func (j *Judge) DurationAlone(l *pool.Load) span.Micros {
	s := scan{warp: &j.Pool.Supply.Warp, Rise: level.Rise{Level: level.New(make([]span.Micros, j.Pool.Supply.Slots))}}
	return s.Next(l)
}
