package slotter

import (
	"math"

	"lull/subjects/tct"
)

// maxChoosy is how many jobs at risk are asked whether they leave a slot to
// others. Beyond that, leaving slots to one only puts another at risk.
const maxChoosy = 16

// atRisk is the work of the job with the earliest deadline among those at risk,
// if it does not leave this slot to others.
func (r *round) atRisk(l *line, step int) *work {
	asked := 0
	for i := l.edge; i < len(l.urgent) && l.urgent[i].job.due != never; i++ {
		w := l.urgent[i]
		if w.dry || !r.endangered(w) {
			if i == l.edge {
				l.edge++
			}
			continue
		}
		if asked++; asked > maxChoosy {
			return nil
		}
		if !r.saturated(w, residualAt(step)) && !r.asGoodBelow(w, step) {
			return w
		}
	}
	return nil
}

// endangered reports whether the job needs slots now: it is late already, more is
// asked of the pool until its deadline than it should be (see weighDeadlines),
// or its slots, those just planned included, are predicted to complete it too
// late and it cannot wait for better ones.
func (r *round) endangered(w *work) bool {
	if w.lost(r.now) || w.job.due <= r.pressed {
		return true
	}
	left := max(r.whole(w), 0)
	return !w.job.completes(left, w.slow()) &&
		w.slow()*float64(w.job.remaining)*w.group.worth.average > idleHalf*left
}

// lost reports whether no task that begins now ends before the deadline.
func (w *work) lost(now int64) bool { return w.job.left(now) <= w.curve.Seconds(1) }

// risk is by how many seconds the job's predicted end passes its deadline; one
// without a slot is predicted as if it had an average one.
func (w *work) risk(now int64) float64 {
	seconds := w.group.worth.average
	if rate := w.job.rate + w.job.planned; rate > 0 {
		seconds = rateUnit / float64(rate)
	}
	late := w.slow()*float64(w.job.remaining)*seconds - (float64(w.job.due-now)/1e9 - w.job.later)
	return math.Round(min(late, maxSlack)*1e3)/1e3 + 0
}

// slow is the factor by which tasks are taken to need longer than predicted.
func (w *work) slow() float64 { return max(w.job.stages[w.stage].slow, caution) }

// asGoodBelow reports whether a job finds enough slots as good as this one
// among those that come later in the round, so that others can have this one.
// It counts hosts, of which each has one such slot at least, and only for tasks
// that any of them can run.
func (r *round) asGoodBelow(w *work, step int) bool {
	l := w.group.line
	if l.cpu > 1 || len(l.where) > 0 {
		return false
	}
	if w.plenty.step == step && r.taken <= w.plenty.until {
		return true
	}
	free, short := 0, w.shortOf(r.now)
	for s := step - 1; s >= int(w.group.worth.reach[step]); s-- {
		if free += r.slots.at(s); free >= short {
			w.plenty = plenty{step, r.taken + free - short}
			return true
		}
	}
	return false
}

// plenty is what a job knows of the slots below a step: that there are enough
// until so many were taken in the round. Counting them for each slot again cost
// a sixth of a round.
type plenty struct{ step, until int }

// shortOf is how many average slots the job needs beside those it has.
func (w *work) shortOf(now int64) int {
	left := max(w.job.left(now), 1e-3)
	need := w.slow()*float64(w.job.remaining)*rateUnit/left - float64(w.job.rate+w.job.planned)
	slots := math.Ceil(need / rateUnit * w.group.worth.average)
	return int(min(max(slots, 1), float64(w.life.Waiting())))
}

// at is the number of hosts in a step.
func (q *slotQueue) at(step int) int {
	f := &q.steps[min(max(step, 0), tct.Steps)]
	return len(f.hosts) - f.front
}
