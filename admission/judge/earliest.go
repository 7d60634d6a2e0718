package judge

import (
	"lull/admission/pool"
	"lull/admission/span"
	"lull/subjects"
)

// Earliest is the earliest deadline at which judge would admit the load, as a
// span from now, in closed form; false if there is none.
//
// Behind job k of the queue the newcomer ends when the work of jobs 1 … k and its own is done. So
// within the gap up to the next deadline the first safe one is that end, or the gap's beginning. A
// job that the newcomer would push past its deadline must stay before it, so the search begins
// behind the last of those.
func (j *Judge) Earliest(l *pool.Load) (span.Micros, bool) {
	if safe, ok, played := j.EarliestByRehearsal(l); played {
		return safe, ok
	}
	first := 0
	if j.Config.Mode == subjects.ModeAffected {
		first = j.LastHurt(l)
	}
	return j.firstGap(l, first)
}

// firstGap is the first safe deadline after the first jobs of the queue.
func (j *Judge) firstGap(l *pool.Load, first int) (span.Micros, bool) {
	ahead, until := j.Pool.Queue.Work(first), span.Micros(0)
	if first > 0 {
		until = j.Pool.Queue.At(first - 1).UntilDeadline(j.Now)
	}
	for b, jobs := range j.Pool.Queue.Remain(first) {
		last := jobs[len(jobs)-1]
		if _, safe := j.PredictBehind(l, ahead); len(jobs) == len(b.Items) && last.Deadline != pool.None && max(safe, until) >= last.UntilDeadline(j.Now) {
			ahead, until, first = span.Plus(ahead, pool.Sum(b).Work), last.UntilDeadline(j.Now), first+len(jobs)
			continue // there is no gap within: it only ends later behind more work
		}
		for _, job := range jobs {
			_, safe := j.PredictBehind(l, ahead)
			if first > 0 {
				safe = max(safe, until)
			}
			if job.Deadline == pool.None || safe < job.UntilDeadline(j.Now) {
				return safe, safe < span.Horizon
			}
			ahead, until, first = span.Plus(ahead, job.Work), job.UntilDeadline(j.Now), first+1
		}
	}
	_, safe := j.PredictBehind(l, ahead)
	if first > 0 {
		safe = max(safe, until)
	}
	return safe, safe < span.Horizon
}

// LastHurt is the number of jobs up to the last one that keeps its deadline
// now, but not behind the load.
func (j *Judge) LastHurt(l *pool.Load) (last int) {
	before, after, n := j.Scan(0), j.Scan(l.Work), 0
	for b, jobs := range j.Pool.Queue.Remain(0) {
		if j.safe(b, &after) {
			before.skip(b)
			after.skip(b)
			n += len(jobs)
			continue
		}
		for _, job := range jobs {
			if n++; job.Deadline == pool.None {
				return last
			}
			finish, pushed, deadline := before.Next(job), after.Next(job), job.UntilDeadline(j.Now)
			if finish <= deadline && pushed > deadline {
				last = n
			}
		}
	}
	return last
}
