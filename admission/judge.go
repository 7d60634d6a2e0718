package admission

import "time"

// finding is what a judgement found.
type finding struct {
	finish time.Duration // from now
	// victim is the first job that would miss its deadline because of the
	// newcomer, late by so much; nil if there is none.
	victim *load
	late   time.Duration
}

// judge predicts a newcomer (equation 7), and in mode "affected" the jobs
// behind it. A job that is predicted to miss its deadline anyway is not hurt.
func judge(q queue, l load, mode string) finding {
	ahead := q.before(l.deadline)
	start := ahead.work()
	f := finding{finish: plus(start, l.jct)}
	if mode == ModeEq7 {
		return f
	}
	for i := len(ahead); i < len(q) && q[i].deadline != none; i++ {
		finish := plus(start, q[i].jct)
		pushed := plus(finish, l.work)
		if finish <= q[i].deadline && pushed > q[i].deadline {
			f.victim, f.late = &q[i], pushed-q[i].deadline
			return f
		}
		start = plus(start, q[i].work)
	}
	return f
}

// admissible reports whether the newcomer keeps its own deadline and hurts
// nobody.
func (f finding) admissible(l load) bool { return f.finish <= l.deadline && f.victim == nil }

// earliest is the earliest deadline at which judge would admit the load, in
// closed form, false if there is none.
//
// Behind job k of the queue the newcomer ends at the work of jobs 1 … k plus
// its own time, so within the gap up to the next deadline the first safe one is
// that end, or the gap's beginning. A job that the newcomer's work would push
// past its deadline must stay before it, so the search begins behind the last
// of those.
func earliest(q queue, l load, mode string) (time.Duration, bool) {
	first := 0
	if mode != ModeEq7 {
		first = q.lastHurt(l)
	}
	end := plus(q[:first].work(), l.jct)
	for k := first; ; k++ {
		safe := end
		if k > 0 {
			safe = max(safe, q[k-1].deadline)
		}
		last := k == len(q) || q[k].deadline == none
		if last || safe < q[k].deadline {
			return safe, safe < horizon
		}
		end = plus(end, q[k].work)
	}
}

// lastHurt is the number of jobs up to the last one that has slack, but less
// than the load's work.
func (q queue) lastHurt(l load) int {
	start, last := time.Duration(0), 0
	for i := 0; i < len(q) && q[i].deadline != none; i++ {
		finish := plus(start, q[i].jct)
		if finish <= q[i].deadline && plus(finish, l.work) > q[i].deadline {
			last = i + 1
		}
		start = plus(start, q[i].work)
	}
	return last
}
