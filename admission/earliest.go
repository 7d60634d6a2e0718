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
	due := a.queue.due()
	if safe, ok, played := a.opening(l, due); played {
		return safe, ok
	}
	first := 0
	if a.cfg.Mode == ModeAffected {
		first = a.lastHurt(due, l)
	}
	ahead := due[:first].work()
	for k := first; ; k++ {
		_, safe := a.place(l, ahead)
		if k > 0 {
			safe = max(safe, a.until(due[k-1]))
		}
		if k == len(due) || safe < a.until(due[k]) {
			return safe, safe < horizon
		}
		ahead = plus(ahead, due[k].work)
	}
}

// lastHurt is the number of jobs up to the last one that keeps its deadline
// now, but not behind the load.
func (a *Actor) lastHurt(due queue, l *load) (last int) {
	before, after := a.scan(0), a.scan(l.work)
	for i, job := range due {
		finish, pushed, deadline := before.next(job), after.next(job), a.until(job)
		if finish <= deadline && pushed > deadline {
			last = i + 1
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
