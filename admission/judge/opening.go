package judge

import (
	"lull/admission/pool"
	"lull/admission/span"
	"lull/subjects"
)

// maxSearch bounds what the search for a deadline costs, in tasks placed.
const maxSearch = 60_000

// EarliestByRehearsal returns the earliest deadline at which judgeByRehearsal would admit the load, as a span from now.
// A deadline decides only between which jobs the newcomer has its place. So it is played at one
// place after the other, or in a long queue at some of them, to the last. played is false if the
// queue is too long to be played. ok is false if no place is safe: a task keeps its slot, so even a
// job that comes last may hold up others.
func (j *Judge) EarliestByRehearsal(l *pool.Load) (safe span.Micros, ok, played bool) {
	queue := j.Pool.Queue.Few()
	due := queue[:min(j.Pool.Queue.Due(), len(queue))]
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
func (j *Judge) gap(l *pool.Load, at int, due []*pool.Load, before outcomes) (safe span.Micros, cost int, ok bool) {
	l.Deadline = pool.None - 1
	f, ok := j.insert(l, at, before)
	if !ok {
		return 0, 0, false
	}
	end := f.Sure - l.Reserve()
	safe = end + min(end/(pool.SetAside-1)+1, l.Longest())
	if at > 0 {
		safe = max(safe, due[at-1].UntilDeadline(j.Now))
	}
	fits := at == len(due) || safe < due[at].UntilDeadline(j.Now)
	return safe, max(f.Looks, 1), fits && (f.Victim == nil || j.Config.Mode != subjects.ModeAffected)
}
