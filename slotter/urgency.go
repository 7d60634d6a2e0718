package slotter

import (
	"math"

	"lull/subjects/tct"
)

const (
	// caution is the least factor by which tasks count as slower than predicted when a deadline is
	// at stake. A model's own ninetieth percentile (subjects.Fitted.Slow) counts where it is more.
	caution = 1.1
	// idleHalf: a job that needs less than this part of an average slot until
	// its deadline can wait for its first one.
	idleHalf = 0.5
)

// maxAsked is the number of jobs at risk that are asked whether they leave a slot to
// others. Beyond that, leaving a slot to one job only puts another at risk.
const maxAsked = 16

// urgency finds the jobs that may miss their deadlines.
type urgency struct {
	*facts
	*places
	saturation
	overloadedUntil int64 // the last deadline until which too much is asked of the pool, 0 for none
}

// firstAtRisk is the work of the job with the earliest deadline among those at risk,
// if it does not leave this slot to others.
func (u *urgency) firstAtRisk(l *line, step int) *work {
	asked := 0
	for i := l.urgentFront; i < len(l.urgent) && l.urgent[i].job.due != never; i++ {
		w := l.urgent[i]
		if w.dry || !u.isAtRisk(w) {
			if i == l.urgentFront {
				l.urgentFront++
			}
			continue
		}
		if asked++; asked > maxAsked {
			return nil
		}
		if !u.saturated(w, residualAt(step)) && !u.enoughBelow(w, step) {
			return w
		}
	}
	return nil
}

// isAtRisk reports whether the job needs slots now. It does if it is late already, or if more is
// asked of the pool until its deadline than should be (see weighDeadlines). It does too if its
// slots, those just planned included, are predicted to complete it too late and it cannot wait for
// better ones.
func (u *urgency) isAtRisk(w *work) bool {
	if w.lost(u.now) || w.job.due <= u.overloadedUntil {
		return true
	}
	left := max(u.wholeTasks(w), 0)
	return !w.job.completes(left, w.slow()) &&
		w.slow()*float64(w.job.remaining)*w.group.worth.Average > idleHalf*left
}

// lost reports whether no task that begins now ends before the deadline.
func (w *work) lost(now int64) bool { return w.job.left(now) <= w.curve.Seconds(1) }

// risk returns by how many seconds the job's predicted end passes its deadline. A job without a
// slot is predicted as if it had an average one.
func (w *work) risk(now int64) float64 {
	seconds := w.group.worth.Average
	if rate := w.job.rate + w.job.planned; rate > 0 {
		seconds = rateUnit / float64(rate)
	}
	late := w.slow()*float64(w.job.remaining)*seconds - (float64(w.job.due-now)/1e9 - w.job.later)
	return math.Round(min(late, maxSlack)*1e3)/1e3 + 0
}

// slow is the factor by which tasks are taken to need longer than predicted.
func (w *work) slow() float64 { return max(w.job.stages[w.stage].slow, caution) }

// enoughBelow reports whether a job finds enough slots as good as this one among those that come
// later in the round, so that others can have this one. It counts hosts, of which each has one such
// slot at least, and only for tasks that any of them can run.
func (u *urgency) enoughBelow(w *work, step int) bool {
	l := w.group.line
	if l.cpu > 1 || len(l.where) > 0 || len(l.fence) > 0 || l.placed != nil {
		return false
	}
	if w.plenty.step == step && u.taken <= w.plenty.until {
		return true
	}
	free, short := 0, w.shortOf(u.now)
	for s := step - 1; s >= int(w.group.worth.Reach[step]); s-- {
		if free += u.slots.at(s); free >= short {
			w.plenty = plenty{step, u.taken + free - short}
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
	slots := math.Ceil(need / rateUnit * w.group.worth.Average)
	return int(min(max(slots, 1), float64(w.life.Waiting())))
}

// at is the number of hosts in a step.
func (q *slotQueue) at(step int) int {
	f := &q.steps[min(max(step, 0), tct.Steps)]
	return len(f.hosts) - f.front
}

// mostAsked is the part of what the pool can do until a deadline that may be asked of it by then.
// Beyond it, all jobs that are due until then are served in the order of their deadlines. The rest
// is for jobs to come, and for tasks that cannot be interrupted. A lower value misses fewer
// deadlines and saves less time. From 0.3 to 0.7, the jobs of FB-2009 that miss a deadline of four
// times their ideal time rise from 0.02 to 0.46 points above earliest deadline first, and the total
// task time falls by another 2 %.
const mostAsked = 0.5

// weighDeadlines finds the last deadline until which more is asked of the pool than should be. Job
// by job each may look safe, because each counts on slots that all the others count on too. It is
// the test by which earliest deadline first is known to miss none on one processor, made for the
// pool's average slots.
func (u *urgency) weighDeadlines() {
	asked, slots := 0.0, float64(u.supply.Slots()) // seconds of an average slot
	u.overloadedUntil = 0
	for _, j := range u.jobs.byDeadline {
		if j.due == never {
			return
		}
		left := float64(j.due-u.now) / 1e9
		if left <= 0 {
			continue
		}
		asked += u.asks(j)
		if asked > mostAsked*slots*left {
			u.overloadedUntil = j.due
		}
	}
}

// asks is what the job still asks of the pool, in seconds of an average slot.
func (u *urgency) asks(j *job) (seconds float64) {
	for i, st := range j.life.Stages {
		if n := st.Len() - st.Done; n > 0 {
			s := &j.stages[i]
			s.group.worth.Weigh(s.curve, &u.supply)
			width := float64(j.life.Shape.Stages[i].CPU)
			seconds += max(s.slow, caution) * float64(n) * width * s.group.worth.Average
		}
	}
	return seconds
}

// wholeTasks is left without the time of one task: equation 3 counts parts of tasks,
// but a part of a task commits nothing. A task that is half done at the deadline is late.
func (u *urgency) wholeTasks(w *work) float64 { return w.job.left(u.now) - w.group.worth.Average }
