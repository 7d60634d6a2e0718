package policy

import (
	"lull/slotter/facts"
	"lull/slotter/places"
)

// idleHalf bounds what a job may need, as a part of an average slot until its deadline, to be able to
// wait for its first slot.
const idleHalf = 0.5

// maxAskedJobs is the number of jobs at risk that are asked whether they leave a slot to
// others. Beyond that, leaving a slot to one job only puts another at risk.
const maxAskedJobs = 16

// urgency finds the jobs that may miss their deadlines.
type urgency struct {
	*facts.Facts
	*places.Places
	overloadedUntil int64 // the last deadline until which too much is asked of the pool, 0 for none
}

// firstAtRisk is the work of the job with the earliest deadline among those at risk,
// if it does not leave this slot to others.
func (u *urgency) firstAtRisk(l *facts.Line, step int) *facts.Work {
	asked := 0
	for i := l.UrgentFront; i < len(l.Urgent) && l.Urgent[i].Job.Due != facts.Never; i++ {
		w := l.Urgent[i]
		if w.Dry || !u.isAtRisk(w) {
			if i == l.UrgentFront {
				l.UrgentFront++
			}
			continue
		}
		if asked++; asked > maxAskedJobs {
			return nil
		}
		if !u.Saturated(w, facts.ResidualAt(step)) && !u.enoughBelow(w, step) {
			return w
		}
	}
	return nil
}

// isAtRisk reports whether the job needs slots now. It does if it is late already, or if more is
// asked of the pool until its deadline than should be (see weighDeadlines). It does too if its
// slots, those just planned included, are predicted to complete it too late and it cannot wait for
// better ones.
func (u *urgency) isAtRisk(w *facts.Work) bool {
	if w.TooLate(u.Now) || w.Job.Due <= u.overloadedUntil {
		return true
	}
	left := max(u.wholeTasks(w), 0)
	return !w.Job.Completes(left, w.Slow()) &&
		w.Slow()*float64(w.Job.Remaining)*w.Group.Worth.Average > idleHalf*left
}

// enoughBelow reports whether a job finds enough slots as good as this one among those that come
// later in the round, so that others can have this one. It counts hosts, of which each has one such
// slot at least, and only for tasks that any of them can run.
func (u *urgency) enoughBelow(w *facts.Work, step int) bool {
	l := w.Group.Line
	if l.Cpu > 1 || len(l.Where) > 0 || len(l.Fence) > 0 || l.Placed != nil {
		return false
	}
	if w.Enough.Step == step && u.Taken <= w.Enough.Until {
		return true
	}
	free, short := 0, w.MissingSlots(u.Now)
	for s := step - 1; s >= int(w.Group.Worth.Reach[step]); s-- {
		if free += u.FreeAt(s); free >= short {
			w.Enough = facts.EnoughSlots{Step: step, Until: u.Taken + free - short}
			return true
		}
	}
	return false
}

// maxDemand is the part of what the pool can do until a deadline that may be asked of it by then.
// Beyond it, all jobs that are due until then are served in the order of their deadlines. The rest
// is for jobs to come, and for tasks that cannot be interrupted. A lower value misses fewer
// deadlines and saves less time. From 0.3 to 0.7, the jobs of FB-2009 that miss a deadline of four
// times their ideal time rise from 0.02 to 0.46 points above earliest deadline first, and the total
// task time falls by another 2 %.
const maxDemand = 0.5

// weighDeadlines finds the last deadline until which more is asked of the pool than should be. Job
// by job each may look safe, because each counts on slots that all the others count on too. It is
// the test by which earliest deadline first is known to miss none on one processor, made for the
// pool's average slots.
func (u *urgency) weighDeadlines() {
	asked, slots := 0.0, float64(u.Supply.Slots()) // seconds of an average slot
	u.overloadedUntil = 0
	for _, j := range u.Jobs.ByDeadline {
		if j.Due == facts.Never {
			return
		}
		left := float64(j.Due-u.Now) / 1e9
		if left <= 0 {
			continue
		}
		asked += u.demandOf(j)
		if asked > maxDemand*slots*left {
			u.overloadedUntil = j.Due
		}
	}
}

// demandOf is what the job still asks of the pool, in seconds of an average slot.
func (u *urgency) demandOf(j *facts.Job) (seconds float64) {
	for i, st := range j.Life.Stages {
		if n := st.Len() - st.Done; n > 0 {
			s := &j.Stages[i]
			s.Group.Worth.Weigh(s.Curve, &u.Supply)
			width := j.Life.Shape.Stages[i].Cores().Float()
			seconds += max(s.Slow, facts.Caution) * float64(n) * width * s.Group.Worth.Average
		}
	}
	return seconds
}

// wholeTasks is left without the time of one task: equation 3 counts parts of tasks,
// but a part of a task commits nothing. A task that is half done at the deadline is late.
func (u *urgency) wholeTasks(w *facts.Work) float64 {
	return w.Job.TimeLeft(u.Now) - w.Group.Worth.Average
}
