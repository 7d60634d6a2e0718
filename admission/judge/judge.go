// Package judge predicts when jobs end, and what a newcomer does to those that wait.
package judge

import (
	"lull/admission/facts"
	"lull/admission/level"
	"lull/admission/outlook"
	"lull/admission/pool"
	"lull/admission/span"
	"lull/subjects"
)

// Finding is what a judgement found. Spans count from now.
type Finding struct {
	Start, Finish span.Micros // as predicted
	Sure          span.Micros // finish that a promise may rest on
	low, high     span.Micros // first and last finish in the takes of a rehearsal, 0 without one
	Ahead         int         // jobs that are served before
	Looks         int         // what it cost: see maxLooks
	// Victim is the first job that would miss its deadline because of the
	// newcomer, late by so much; nil if there is none.
	Victim *pool.Load
	Late   span.Micros
	// Pushed are the first of those that end later, all of them in number.
	Pushed []subjects.Push
	Pushes int
}

// Judge predicts when jobs end, and what a newcomer does to those that wait.
type Judge struct {
	*facts.Facts
	Pool *pool.Pool
}

// Predict judges a newcomer (equation 7), and the jobs that it pushes: by
// rehearsals, or behind a long queue by the work before them.
func (j *Judge) Predict(l *pool.Load) Finding {
	at := j.Pool.Queue.BeforeDeadline(l.Deadline)
	if f, ok := j.judgeByRehearsal(l, at); ok {
		return f
	}
	return j.PredictByWork(l, at)
}

// PredictByWork predicts a newcomer and the jobs behind it by the work before them. One
// that is predicted to miss its deadline anyway is not hurt.
func (j *Judge) PredictByWork(l *pool.Load, at int) Finding {
	ahead := j.Pool.Queue.Work(at)
	f := Finding{Ahead: at, Looks: 1 + len(j.Pool.Queue.Blocks())}
	f.Start, f.Finish = j.PredictBehind(l, ahead)
	f.Sure = f.Finish
	before, after := j.Scan(ahead), j.Scan(span.Plus(ahead, l.Work))
	for b, jobs := range j.Pool.Queue.Remain(at) {
		switch {
		case jobs[0].Deadline == pool.None:
			return f
		case len(f.Pushed) == subjects.MaxPushed && len(jobs) == len(b.Items) && j.safe(b, &after):
			f.Pushes += len(jobs) // an upper bound: jobs that run alone are not pushed
			before.skip(b)
			after.skip(b)
		default:
			j.CompareAll(&f, jobs, &before, &after)
		}
	}
	return f
}

// CompareAll notes the effect of a new job on the jobs after it.
func (j *Judge) CompareAll(f *Finding, jobs []*pool.Load, before, after *scan) {
	f.Looks += len(jobs)
	for _, behind := range jobs {
		if behind.Deadline == pool.None {
			return
		}
		finish, pushed, deadline := before.Next(behind), after.Next(behind), behind.UntilDeadline(j.Now)
		f.push(behind, finish, pushed, deadline)
		if finish <= deadline && pushed > deadline {
			f.hurt(behind, pushed-deadline)
		}
	}
}

// safe reports whether every job of a block, the next one of a scan, keeps its deadline: the
// earliest deadline is after the latest possible end.
func (j *Judge) safe(b *pool.Block, after *scan) bool {
	last := b.Items[len(b.Items)-1]
	if last.Deadline == pool.None {
		return false
	}
	s, at := pool.Sum(b), *after
	at.skip(b)
	return min(max(at.warp.Real(at.start+s.Path), s.Until)+s.Contention, span.Horizon) <= b.Items[0].UntilDeadline(j.Now)
}

// skip passes over a block.
func (s *scan) skip(b *pool.Block) {
	s.work = span.Plus(s.work, pool.Sum(b).Work)
	s.start = s.To(s.work)
}

// PredictBehind predicts when a load begins and ends behind so much work.
func (j *Judge) PredictBehind(l *pool.Load, ahead span.Micros) (start, finish span.Micros) {
	s := j.Scan(ahead)
	start, finish = s.warp.Real(s.start), s.Next(l)
	if begin := pool.Begin(j.Pool, l); begin > start { // it waits for other jobs
		start, finish = begin, max(finish, min(begin+l.Path+l.Contention, span.Horizon))
	}
	return start, finish
}

// push notes what the newcomer does to a job.
func (f *Finding) push(l *pool.Load, finish, pushed, deadline span.Micros) {
	if pushed <= finish {
		return
	}
	f.Pushes++
	if len(f.Pushed) < subjects.MaxPushed {
		f.Pushed = append(f.Pushed, subjects.Push{
			Job: l.ID(), By: (pushed - finish).Seconds(), Slack: (deadline - pushed).Seconds(),
		})
	}
}

// hurt notes that a job would miss its deadline because of the newcomer.
func (f *Finding) hurt(l *pool.Load, late span.Micros) {
	if f.Victim == nil {
		f.Victim, f.Late = l, late
	}
}

// Admissible reports whether the mode admits the newcomer.
func (f *Finding) Admissible(mode string, deadline span.Micros) bool {
	switch mode {
	case subjects.ModeAll:
		return true
	case subjects.ModeEq7:
		return f.Sure <= deadline
	}
	return f.Sure <= deadline && f.Victim == nil
}

// scan predicts jobs one behind the other.
type scan struct {
	level.Rise
	warp  *outlook.Warp
	work  span.Micros // before the next one
	start span.Micros // when that is done

	active []*pool.Load // with tasks that run
	plain  bool         // what contention costs is left out, as in the paper
}

// Scan begins to predict jobs behind so much work.
func (j *Judge) Scan(ahead span.Micros) scan {
	s := scan{warp: &j.Pool.Supply.Warp, Rise: j.Pool.Supply.Level.After(ahead), work: ahead, active: j.Pool.Supply.Active, plain: j.Config.Mode == subjects.ModeEq7}
	s.start = s.To(ahead)
	return s
}

// Next predicts the end of the next job: when the slots have done its work, but no sooner than its
// longest chain of stages, which needs as many slots as it is wide. All that remains of a job may
// run already.
func (s *scan) Next(l *pool.Load) span.Micros {
	start := s.start
	s.work = span.Plus(s.work, l.Work)
	s.start = s.To(s.work)
	if l.Work == 0 {
		return l.Path
	}
	path := l.Path
	if wide := min(l.PathSlots, s.Slots()); wide > s.K && s.K > 0 {
		path = min(path, span.Horizon/span.Micros(wide)) * span.Micros(wide) / span.Micros(s.K)
	}
	end := max(s.warp.Real(max(s.start, start+path)), l.Until)
	if s.contended(l) {
		end += l.Contention
	}
	return min(end, span.Horizon)
}

// contended reports whether the job has the pool not for itself.
func (s *scan) contended(l *pool.Load) bool {
	return !s.plain && (s.work > l.Work || len(s.active) > 1 || len(s.active) == 1 && s.active[0] != l)
}
