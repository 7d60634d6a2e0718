package admission

import "slices"

// foresee judges a newcomer at a place of the queue by rehearsals without it
// and with it. False if the queue is too long to be played.
func (j *judge) foresee(l *load, at int) (f finding, ok bool) {
	before, ok := j.outcomes(j.pool.queue.few(), nil)
	if !ok {
		return f, false
	}
	return j.insert(l, at, before)
}

// insert judges a newcomer by the outcomes without it. A promise rests on the middle one of
// the takes. The newcomer hurts a job, be it a more urgent one, if that job keeps its
// deadline only without the newcomer in more than half of the takes. What is right more
// often than not is made right 99 times in 100 by the margin, which follows from the
// promises that were broken. The worst take in place of the middle one refused ten times
// as many jobs, nine in ten of which would have been in time.
func (j *judge) insert(l *load, at int, before outcomes) (f finding, ok bool) {
	queue := j.pool.queue.few()
	with, ok := j.outcomes(slices.Insert(slices.Clone(queue), at, l), l)
	if !ok {
		return f, false
	}
	f = finding{ahead: at, start: with.start, finish: with.ends[at][0], looks: before.steps + with.steps}
	f.sure = min(max(with.ends[at][0], middle(with.ends[at])), horizon)
	for i, job := range queue[:j.pool.queue.due()] {
		k := i
		if i >= at {
			k++
		}
		f.compare(job, before.ends[i], with.ends[k], j.until(job))
	}
	return f, true
}

// compare holds a job's ends with the newcomer against those without, take by
// take. The first, in which times do not vary, tells by how much it is pushed.
func (f *finding) compare(job *load, before, with []micros, deadline micros) {
	takes, missed, late := min(len(before), len(with)), 0, micros(0)
	for take := range takes {
		if before[take] <= deadline && with[take] > deadline {
			missed, late = missed+1, max(late, with[take]-deadline)
		}
	}
	if 2*missed > takes {
		f.hurt(job, late)
	}
	f.push(job, before[0], with[0], deadline)
}

// middle is the median of ends, the later one of two.
func middle(ends []micros) micros {
	return slices.Sorted(slices.Values(ends))[len(ends)/2]
}

// outcomes are what a rehearsal showed: the ends of each job, by take.
type outcomes struct {
	ends  [][]micros
	start micros // of the newcomer's first task, in the first take
	steps int    // tasks placed
}

func (j *judge) outcomes(loads []*load, newcomer *load) (o outcomes, ok bool) {
	r, ok := j.rehearse(loads, newcomer)
	if !ok {
		return o, false
	}
	o = outcomes{ends: make([][]micros, len(loads)), start: horizon}
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

// ends predicts when the jobs that have deadlines end, without any reserve or
// variance: of a queue too long to be played, up to maxChecks from one on. It returns
// which job is the next, 0 when it has seen the last.
func (j *judge) ends(from, due int, see func(l *load, finish micros)) (next int) {
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

func (j *judge) endsOf(from, due int, see func(l *load, finish micros)) (next int) {
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
