package admission

import (
	"slices"

	"lull/admission/span"
)

// foresee judges a newcomer at a place of the queue by rehearsals without it
// and with it. False if the queue is too long to be played.
func (j *judge) foresee(l *load, at int) (f finding, ok bool) {
	before, ok := j.outcomes(j.pool.queue.few(), nil)
	if !ok {
		return f, false
	}
	return j.insert(l, at, before)
}

// insert judges a newcomer by the outcomes without it. It keeps its deadline if it does so in every
// take. It hurts a job, even a more urgent one, if in any take that job keeps its deadline only
// without the newcomer: a job that will barely keep its promise must not be pushed.
func (j *judge) insert(l *load, at int, before outcomes) (f finding, ok bool) {
	queue := j.pool.queue.few()
	with, ok := j.outcomes(slices.Insert(slices.Clone(queue), at, l), l)
	if !ok {
		return f, false
	}
	f = finding{ahead: at, start: with.start, finish: with.ends[at][0], looks: before.steps + with.steps}
	f.low, f.high = slices.Min(with.ends[at]), slices.Max(with.ends[at])
	f.sure = min(f.high+l.reserve(), span.Horizon)
	for i, job := range queue[:j.pool.queue.due()] {
		k := i
		if i >= at {
			k++
		}
		f.compare(job, before.ends[i], with.ends[k], job.untilDeadline(j.Now)-job.reserve())
	}
	return f, true
}

// compare compares a job's ends with the newcomer and without it, take by take. The first take, in
// which times do not vary, gives by how much it is pushed.
func (f *finding) compare(job *load, before, with []span.Micros, latest span.Micros) {
	for take := range min(len(before), len(with)) {
		if before[take] <= latest && with[take] > latest {
			f.hurt(job, with[take]-latest)
		}
	}
	f.push(job, before[0], with[0], latest+job.reserve())
}

// outcomes are what a rehearsal showed: the ends of each job, by take.
type outcomes struct {
	ends  [][]span.Micros
	start span.Micros // of the newcomer's first task, in the first take
	steps int         // tasks placed
}

func (j *judge) outcomes(loads []*load, newcomer *load) (o outcomes, ok bool) {
	r, ok := j.rehearse(loads, newcomer)
	if !ok {
		return o, false
	}
	o = outcomes{ends: make([][]span.Micros, len(loads)), start: span.Horizon}
	r.each(func(p *play) {
		o.steps += p.steps
		for i := range p.parts {
			q := &p.parts[i]
			o.ends[i] = append(o.ends[i], q.end)
			if q.load == newcomer && p.take == 0 {
				o.start = q.start
			}
		}
	})
	return o, true
}

// ends predicts when the jobs with deadlines end, without any reserve or variance. Of a queue too
// long to be played it predicts up to maxChecks from one on. It returns the next job to predict, or
// 0 after the last.
func (j *judge) ends(from, due int, see func(l *load, finish span.Micros)) (next int) {
	queue := j.pool.queue.few()
	r, ok := j.rehearse(queue, nil)
	if !ok {
		return j.endsOf(from, due, see)
	}
	r.takes = 1
	r.each(func(p *play) {
		for i, l := range queue[:due] {
			see(l, p.parts[i].end)
		}
	})
	return 0
}

func (j *judge) endsOf(from, due int, see func(l *load, finish span.Micros)) (next int) {
	s := j.scan(j.pool.queue.work(from))
	next = from
	for _, loads := range j.pool.queue.remain(from) {
		for _, l := range loads {
			if next == due {
				return 0
			}
			if next == from+maxChecks {
				return next
			}
			see(l, s.next(l))
			next++
		}
	}
	return 0
}
