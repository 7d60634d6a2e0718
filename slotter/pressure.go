package slotter

// full is the part of what the pool can do until a deadline that may be asked of
// it by then. Beyond it, all jobs that are due until then are served in the order of
// their deadlines. The rest is for what comes, and for tasks that cannot be
// interrupted. The less, the fewer deadlines are missed and the less is won: from 0.3
// to 0.7 the jobs of FB-2009 that miss one, with four times their ideal time,
// rise from 0.02 to 0.46 points above earliest deadline first, and the total
// task time falls by another 2 %.
const full = 0.5

// weighDeadlines finds the last deadline until which more is asked of the pool
// than it should be: job by job each of them may look safe, because each counts
// on slots that all the others count on too. It is the test by which earliest
// deadline first is known to miss none on one processor, made for the pool's
// average slots.
func (r *round) weighDeadlines() {
	asked, slots := 0.0, float64(r.a.supply.all) // seconds of an average slot
	r.pressed = 0
	for _, j := range r.a.jobs.byDeadline {
		if j.due == never {
			return
		}
		left := float64(j.due-r.now) / 1e9
		if left <= 0 {
			continue
		}
		asked += r.asks(j)
		if asked > full*slots*left {
			r.pressed = j.due
		}
	}
}

// asks is what the job still asks of the pool, in seconds of an average slot.
func (r *round) asks(j *job) (seconds float64) {
	for i, st := range j.life.Stages {
		if n := st.Len() - st.Done; n > 0 {
			s := &j.stages[i]
			s.group.worth.weigh(s.curve, &r.a.supply)
			width := float64(j.life.Shape.Stages[i].CPU)
			seconds += max(s.slow, caution) * float64(n) * width * s.group.worth.average
		}
	}
	return seconds
}
