package judge

import (
	"slices"

	"lull/admission/pool"
	"lull/admission/span"
)

// MaxChecks is how many promises are looked at in one step: in some milliseconds.
const MaxChecks = 20_000

// judgeByRehearsal judges a newcomer at a place of the queue by rehearsals without it
// and with it. False if the queue is too long to be played.
func (j *Judge) judgeByRehearsal(l *pool.Load, at int) (f Finding, ok bool) {
	before, ok := j.outcomes(j.Pool.Queue.Few(), nil)
	if !ok {
		return f, false
	}
	return j.insert(l, at, before)
}

// insert judges a newcomer by the outcomes without it. It keeps its deadline if it does so in every
// take. It hurts a job, even a more urgent one, if in any take that job keeps its deadline only
// without the newcomer: a job that will barely keep its promise must not be pushed.
func (j *Judge) insert(l *pool.Load, at int, before outcomes) (f Finding, ok bool) {
	queue := j.Pool.Queue.Few()
	with, ok := j.outcomes(slices.Insert(slices.Clone(queue), at, l), l)
	if !ok {
		return f, false
	}
	f = Finding{Ahead: at, Start: with.start, Finish: with.ends[at][0], Looks: before.steps + with.steps}
	f.low, f.high = slices.Min(with.ends[at]), slices.Max(with.ends[at])
	f.Sure = min(f.high+l.Reserve(), span.Horizon)
	for i, job := range queue[:j.Pool.Queue.Due()] {
		k := i
		if i >= at {
			k++
		}
		f.compare(job, before.ends[i], with.ends[k], job.UntilDeadline(j.Now)-job.Reserve())
	}
	return f, true
}

// compare compares a job's ends with the newcomer and without it, take by take. The first take, in
// which times do not vary, gives by how much it is pushed.
func (f *Finding) compare(job *pool.Load, before, with []span.Micros, latest span.Micros) {
	for take := range min(len(before), len(with)) {
		if before[take] <= latest && with[take] > latest {
			f.hurt(job, with[take]-latest)
		}
	}
	f.push(job, before[0], with[0], latest+job.Reserve())
}

// outcomes are what a rehearsal showed: the ends of each job, by take.
type outcomes struct {
	ends  [][]span.Micros
	start span.Micros // of the newcomer's first task, in the first take
	steps int         // tasks placed
}

func (j *Judge) outcomes(loads []*pool.Load, newcomer *pool.Load) (o outcomes, ok bool) {
	r, ok := j.Rehearse(loads, newcomer)
	if !ok {
		return o, false
	}
	o = outcomes{ends: make([][]span.Micros, len(loads)), start: span.Horizon}
	r.Each(func(p *Play) {
		o.steps += p.steps
		for i := range p.Jobs {
			q := &p.Jobs[i]
			o.ends[i] = append(o.ends[i], q.End)
			if q.Load == newcomer && p.take == 0 {
				o.start = q.start
			}
		}
	})
	return o, true
}

// Ends predicts when the jobs with deadlines end, without any reserve or variance. Of a queue too
// long to be played it predicts up to maxChecks from one on. It returns the next job to predict, or
// 0 after the last.
func (j *Judge) Ends(from, due int, see func(l *pool.Load, finish span.Micros)) (next int) {
	queue := j.Pool.Queue.Few()
	r, ok := j.Rehearse(queue, nil)
	if !ok {
		return j.endsOf(from, due, see)
	}
	r.Takes = 1
	r.Each(func(p *Play) {
		for i, l := range queue[:due] {
			see(l, p.Jobs[i].End)
		}
	})
	return 0
}

func (j *Judge) endsOf(from, due int, see func(l *pool.Load, finish span.Micros)) (next int) {
	s := j.Scan(j.Pool.Queue.Work(from))
	next = from
	for _, loads := range j.Pool.Queue.Remain(from) {
		for _, l := range loads {
			if next == due {
				return 0
			}
			if next == from+MaxChecks {
				return next
			}
			see(l, s.Next(l))
			next++
		}
	}
	return 0
}
