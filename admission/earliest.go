package admission

// earliest is the earliest deadline at which judge would admit the load, as a
// span from now, in closed form; false if there is none.
//
// Behind job k of the queue the newcomer ends when the work of jobs 1 … k and
// its own is done, so within the gap up to the next deadline the first safe one
// is that end, or the gap's beginning. A job that the newcomer would push past
// its deadline must stay before it, so the search begins behind the last of
// those.
func (a *Actor) earliest(l *load) (micros, bool) {
	if safe, ok, played := a.opening(l); played {
		return safe, ok
	}
	first := 0
	if a.cfg.Mode == ModeAffected {
		first = a.lastHurt(l)
	}
	return a.firstGap(l, first)
}

// firstGap is the first safe deadline after the first jobs of the queue.
func (a *Actor) firstGap(l *load, first int) (micros, bool) {
	ahead, until := a.queue.work(first), micros(0)
	if first > 0 {
		until = a.until(a.queue.At(first - 1))
	}
	for b, jobs := range a.queue.remain(first) {
		last := jobs[len(jobs)-1]
		if _, safe := a.place(l, ahead); len(jobs) == len(b.Items) && last.deadline != none && max(safe, until) >= a.until(last) {
			ahead, until, first = plus(ahead, sum(b).work), a.until(last), first+len(jobs)
			continue // there is no gap within: it only ends later behind more work
		}
		for _, job := range jobs {
			_, safe := a.place(l, ahead)
			if first > 0 {
				safe = max(safe, until)
			}
			if job.deadline == none || safe < a.until(job) {
				return safe, safe < horizon
			}
			ahead, until, first = plus(ahead, job.work), a.until(job), first+1
		}
	}
	_, safe := a.place(l, ahead)
	if first > 0 {
		safe = max(safe, until)
	}
	return safe, safe < horizon
}

// lastHurt is the number of jobs up to the last one that keeps its deadline
// now, but not behind the load.
func (a *Actor) lastHurt(l *load) (last int) {
	before, after, n := a.scan(0), a.scan(l.work), 0
	for b, jobs := range a.queue.remain(0) {
		if a.safe(b, &after) {
			before.skip(b)
			after.skip(b)
			n += len(jobs)
			continue
		}
		for _, job := range jobs {
			if n++; job.deadline == none {
				return last
			}
			finish, pushed, deadline := before.next(job), after.next(job), a.until(job)
			if finish <= deadline && pushed > deadline {
				last = n
			}
		}
	}
	return last
}

// until is the span from now to a load's deadline.
func (a *Actor) until(l *load) micros {
	if l.deadline == none {
		return endless
	}
	return since(a.now, l.deadline)
}
