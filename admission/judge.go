package admission

import (
	"lull/admission/facts"
	"lull/admission/level"
	"lull/admission/outlook"
	"lull/admission/span"
	"lull/subjects"
)

// finding is what a judgement found. Spans count from now.
type finding struct {
	start, finish span.Micros // as predicted
	sure          span.Micros // finish that a promise may rest on
	low, high     span.Micros // first and last finish in the takes of a rehearsal, 0 without one
	ahead         int         // jobs that are served before
	looks         int         // what it cost: see maxLooks
	// victim is the first job that would miss its deadline because of the
	// newcomer, late by so much; nil if there is none.
	victim *load
	late   span.Micros
	// pushed are the first of those that end later, all of them in number.
	pushed []subjects.Push
	pushes int
}

// judge predicts when jobs end, and what a newcomer does to those that wait.
type judge struct {
	*facts.Facts
	pool *pool
}

// predict judges a newcomer (equation 7), and the jobs that it pushes: by
// rehearsals, or behind a long queue by the work before them.
func (j *judge) predict(l *load) finding {
	at := j.pool.queue.before(l.deadline)
	if f, ok := j.foresee(l, at); ok {
		return f
	}
	return j.predictByWork(l, at)
}

// predictByWork predicts a newcomer and the jobs behind it by the work before them. One
// that is predicted to miss its deadline anyway is not hurt.
func (j *judge) predictByWork(l *load, at int) finding {
	ahead := j.pool.queue.work(at)
	f := finding{ahead: at, looks: 1 + len(j.pool.queue.Blocks())}
	f.start, f.finish = j.place(l, ahead)
	f.sure = f.finish
	before, after := j.scan(ahead), j.scan(span.Plus(ahead, l.work))
	for b, jobs := range j.pool.queue.remain(at) {
		switch {
		case jobs[0].deadline == none:
			return f
		case len(f.pushed) == subjects.MaxPushed && len(jobs) == len(b.Items) && j.safe(b, &after):
			f.pushes += len(jobs) // an upper bound: jobs that run alone are not pushed
			before.skip(b)
			after.skip(b)
		default:
			j.compareAll(&f, jobs, &before, &after)
		}
	}
	return f
}

// compareAll notes the effect of a new job on the jobs after it.
func (j *judge) compareAll(f *finding, jobs []*load, before, after *scan) {
	f.looks += len(jobs)
	for _, behind := range jobs {
		if behind.deadline == none {
			return
		}
		finish, pushed, deadline := before.next(behind), after.next(behind), behind.untilDeadline(j.Now)
		f.push(behind, finish, pushed, deadline)
		if finish <= deadline && pushed > deadline {
			f.hurt(behind, pushed-deadline)
		}
	}
}

// safe reports whether every job of a block, the next one of a scan, keeps its deadline: the
// earliest deadline is after the latest possible end.
func (j *judge) safe(b *block, after *scan) bool {
	last := b.Items[len(b.Items)-1]
	if last.deadline == none {
		return false
	}
	s, at := sum(b), *after
	at.skip(b)
	return min(max(at.warp.Real(at.start+s.path), s.until)+s.tail, span.Horizon) <= b.Items[0].untilDeadline(j.Now)
}

// skip passes over a block.
func (s *scan) skip(b *block) {
	s.work = span.Plus(s.work, sum(b).work)
	s.start = s.To(s.work)
}

// place predicts when a load begins and ends behind so much work.
func (j *judge) place(l *load, ahead span.Micros) (start, finish span.Micros) {
	s := j.scan(ahead)
	start = s.warp.Real(s.start)
	return start, s.next(l)
}

// push notes what the newcomer does to a job.
func (f *finding) push(l *load, finish, pushed, deadline span.Micros) {
	if pushed <= finish {
		return
	}
	f.pushes++
	if len(f.pushed) < subjects.MaxPushed {
		f.pushed = append(f.pushed, subjects.Push{
			Job: l.id(), By: (pushed - finish).Seconds(), Slack: (deadline - pushed).Seconds(),
		})
	}
}

// hurt notes that a job would miss its deadline because of the newcomer.
func (f *finding) hurt(l *load, late span.Micros) {
	if f.victim == nil {
		f.victim, f.late = l, late
	}
}

// admissible reports whether the mode admits the newcomer.
func (f *finding) admissible(mode string, deadline span.Micros) bool {
	switch mode {
	case subjects.ModeAll:
		return true
	case subjects.ModeEq7:
		return f.sure <= deadline
	}
	return f.sure <= deadline && f.victim == nil
}

// scan predicts jobs one behind the other.
type scan struct {
	level.Rise
	warp  *outlook.Warp
	work  span.Micros // before the next one
	start span.Micros // when that is done

	active []*load // with tasks that run
	plain  bool    // what contention costs is left out, as in the paper
}

func (j *judge) scan(ahead span.Micros) scan {
	s := scan{warp: &j.pool.supply.warp, Rise: j.pool.supply.level.After(ahead), work: ahead, active: j.pool.supply.active, plain: j.Config.Mode == subjects.ModeEq7}
	s.start = s.To(ahead)
	return s
}

// next predicts the end of the next job: when the slots have done its work, but no sooner than its
// longest chain of stages, which needs as many slots as it is wide. All that remains of a job may
// run already.
func (s *scan) next(l *load) span.Micros {
	start := s.start
	s.work = span.Plus(s.work, l.work)
	s.start = s.To(s.work)
	if l.work == 0 {
		return l.path
	}
	path := l.path
	if wide := min(l.wide, s.Slots()); wide > s.K && s.K > 0 {
		path = min(path, span.Horizon/span.Micros(wide)) * span.Micros(wide) / span.Micros(s.K)
	}
	end := max(s.warp.Real(max(s.start, start+path)), l.until)
	if s.contended(l) {
		end += l.tail
	}
	return min(end, span.Horizon)
}

// contended reports whether the job has the pool not for itself.
func (s *scan) contended(l *load) bool {
	return !s.plain && (s.work > l.work || len(s.active) > 1 || len(s.active) == 1 && s.active[0] != l)
}
