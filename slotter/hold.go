package slotter

import (
	"math"
	"time"

	"lull/subjects/tct"
)

const (
	// holdMost is how long a job waits at most for better slots than those that
	// are free. Its next task then takes what there is.
	holdMost = int64(time.Minute)
	// holdLook is when a slot that was left empty is looked at again, at the
	// latest.
	holdLook = int64(5 * time.Second)
)

// holds reports whether the work's next task is predicted to be done much
// sooner, strain on its neighbours included, if this slot stays empty and it
// waits for a better one. A task never waits on account of a slot that is free
// now: better ones come first in a round.
func (r *round) holds(w *work, h *host, step int) bool {
	here := w.curve.Seconds(residualAt(step))
	if here <= holdGain*w.curve.Seconds(1) && h.idle >= float64(h.busy+1) || h.free() == 0 {
		return false
	}
	here *= 1 + h.strain()
	soon := r.soon(w.group)
	if here <= holdGain*soon || !w.canWait(r.now, soon) {
		return false
	}
	r.a.look(r.now + holdLook)
	return true
}

// soon is the least time in which a task that waits is predicted to be done:
// over all steps, the wait for a slot that is so good, and the run there. All
// that waits now counts as being before it: with a queue, waiting is long and
// every slot is used.
func (r *round) soon(g *group) float64 {
	v := &g.worth
	if v.round == r.a.rounds && r.given <= 2*v.given {
		return v.soon // the round's own tasks free slots too, but each changes little
	}
	v.round, v.given, v.soon = r.a.rounds, r.given, math.Inf(1)
	freed := rate(0)
	for step := tct.Steps; step >= 0; step-- {
		if freed += r.a.flow[step] + r.flow[step]; freed > 0 {
			wait := float64(r.left) * rateUnit / float64(freed)
			v.soon = min(v.soon, wait+g.curve.Seconds(residualAt(step)))
		}
	}
	return v.soon
}

// canWait reports whether the job may wait so many seconds: one with a deadline
// while it stays out of danger, any other as long as it has not waited long.
func (w *work) canWait(now int64, seconds float64) bool {
	j := w.job
	if now-j.served >= holdMost {
		return false
	}
	if j.due == never {
		return true
	}
	left := float64(j.due-now)/1e9 - seconds
	return left > 0 && w.slow()*float64(j.remaining)*w.group.worth.average <= idleHalf*left
}
