package admission

import (
	"lull/admission/span"
	"lull/subjects"
)

// earliest is the earliest deadline at which judge would admit the load, as a
// span from now, in closed form; false if there is none.
//
// Behind job k of the queue the newcomer ends when the work of jobs 1 … k and its own is done. So
// within the gap up to the next deadline the first safe one is that end, or the gap's beginning. A
// job that the newcomer would push past its deadline must stay before it, so the search begins
// behind the last of those.
func (j *judge) earliest(l *load) (span.Micros, bool) {
	if safe, ok, played := j.opening(l); played {
		return safe, ok
	}
	first := 0
	if j.Config.Mode == subjects.ModeAffected {
		first = j.lastHurt(l)
	}
	return j.firstGap(l, first)
}

// firstGap is the first safe deadline after the first jobs of the queue.
func (j *judge) firstGap(l *load, first int) (span.Micros, bool) {
	ahead, until := j.pool.queue.work(first), span.Micros(0)
	if first > 0 {
		until = j.pool.queue.At(first - 1).untilDeadline(j.Now)
	}
	for b, jobs := range j.pool.queue.remain(first) {
		last := jobs[len(jobs)-1]
		if _, safe := j.place(l, ahead); len(jobs) == len(b.Items) && last.deadline != none && max(safe, until) >= last.untilDeadline(j.Now) {
			ahead, until, first = span.Plus(ahead, sum(b).work), last.untilDeadline(j.Now), first+len(jobs)
			continue // there is no gap within: it only ends later behind more work
		}
		for _, job := range jobs {
			_, safe := j.place(l, ahead)
			if first > 0 {
				safe = max(safe, until)
			}
			if job.deadline == none || safe < job.untilDeadline(j.Now) {
				return safe, safe < span.Horizon
			}
			ahead, until, first = span.Plus(ahead, job.work), job.untilDeadline(j.Now), first+1
		}
	}
	_, safe := j.place(l, ahead)
	if first > 0 {
		safe = max(safe, until)
	}
	return safe, safe < span.Horizon
}

// lastHurt is the number of jobs up to the last one that keeps its deadline
// now, but not behind the load.
func (j *judge) lastHurt(l *load) (last int) {
	before, after, n := j.scan(0), j.scan(l.work), 0
	for b, jobs := range j.pool.queue.remain(0) {
		if j.safe(b, &after) {
			before.skip(b)
			after.skip(b)
			n += len(jobs)
			continue
		}
		for _, job := range jobs {
			if n++; job.deadline == none {
				return last
			}
			finish, pushed, deadline := before.next(job), after.next(job), job.untilDeadline(j.Now)
			if finish <= deadline && pushed > deadline {
				last = n
			}
		}
	}
	return last
}
