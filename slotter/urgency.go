package slotter

const (
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
		if free += u.freeAt(s); free >= short {
			w.plenty = plenty{step, u.taken + free - short}
			return true
		}
	}
	return false
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
