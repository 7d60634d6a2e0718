package admission

import (
	"lull/admission/span"
	"lull/subjects"
)

// maxSearch bounds what the search for a deadline costs, in tasks placed.
const maxSearch = 60_000

// opening returns the earliest deadline at which foresee would admit the load, as a span from now.
// A deadline decides only between which jobs the newcomer has its place. So it is played at one
// place after the other, or in a long queue at some of them, to the last. played is false if the
// queue is too long to be played. ok is false if no place is safe: a task keeps its slot, so even a
// job that comes last may hold up others.
func (j *judge) opening(l *load) (safe span.Micros, ok, played bool) {
	queue := j.pool.queue.few()
	due := queue[:min(j.pool.queue.due(), len(queue))]
	before, played := j.outcomes(queue, nil)
	if !played {
		return 0, false, false
	}
	newcomer := *l
	stride, looks := 1, 0
	for at := 0; ; at = min(at+stride, len(due)) {
		safe, cost, ok := j.gap(&newcomer, at, due, before)
		if ok || at == len(due) || cost == 0 {
			return safe, ok && safe < span.Horizon, cost > 0
		}
		if looks += cost; at == 0 {
			stride = 1 + len(due)*cost/maxSearch
		}
	}
}

// gap returns the first deadline behind job at − 1 of the queue and before the next one at which
// the newcomer is admitted, if there is one.
func (j *judge) gap(l *load, at int, due []*load, before outcomes) (safe span.Micros, cost int, ok bool) {
	l.deadline = none - 1
	f, ok := j.insert(l, at, before)
	if !ok {
		return 0, 0, false
	}
	end := f.sure - l.reserve()
	safe = end + min(end/(setAside-1)+1, l.longest())
	if at > 0 {
		safe = max(safe, due[at-1].untilDeadline(j.Now))
	}
	fits := at == len(due) || safe < due[at].untilDeadline(j.Now)
	return safe, max(f.looks, 1), fits && (f.victim == nil || j.Config.Mode != subjects.ModeAffected)
}
