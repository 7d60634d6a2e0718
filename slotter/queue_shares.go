package slotter

import (
	"slices"
)

// weighTurns finds out how far each queue is from its share of the slots, and
// whether several wait for them. With one queue alone there is nothing to find.
func (x *waitlist) weighTurns() {
	if !x.queues.Several() {
		return
	}
	x.queues.ClearDemand()
	for _, j := range x.jobs.bySeq {
		countDemand(j)
	}
	x.contest = x.queues.Divide(x.now, x.supply.Slots(), x.cfg.Borrow)
}

// countDemand adds up what the job holds and, if it may have tasks, waits for.
func countDemand(j *job) {
	for i, st := range j.life.Stages {
		width := int(j.life.Shape.Stages[i].CPU)
		j.queue.Held += st.Held * width
		if n := j.life.Tryable(i); n > 0 && j.admitted && j.life.Ready(i) {
			j.queue.Waits += n * width
		}
	}
}

// admit finds out which jobs may have tasks in this round. Of a queue with a limit these
// are the jobs that run, and then, by submission, those that a host could run. A job
// that only absent hosts could run takes the place of no other.
func (x *waitlist) admit() {
	limited := x.queues.ClearAdmitted()
	for _, j := range x.jobs.bySeq {
		j.admitted = !j.queue.Limited() || j.life.Held() > 0 && j.queue.Admit()
	}
	if !limited {
		return
	}
	could := map[*line]bool{}
	for _, j := range x.jobs.bySeq {
		if !j.admitted && j.queue.HasRoom() && j.life.Held() == 0 && x.runnable(j, could) {
			j.admitted = j.queue.Admit()
		}
	}
}

// runnable reports whether a host that takes tasks could run one of the job's. could is
// what is known of lines.
func (x *waitlist) runnable(j *job, could map[*line]bool) bool {
	if _, dead := j.life.Dead(); dead {
		return false
	}
	for i := range j.life.Stages {
		if j.life.Tryable(i) == 0 || !j.life.Ready(i) {
			continue
		}
		l := x.group(j, i).line
		fits, known := could[l]
		if !known {
			fits = slices.ContainsFunc(x.hosts.byName, func(h *host) bool { return x.eligible(h) && h.couldFit(l) })
			could[l] = fits
		}
		if fits {
			return true
		}
	}
	return false
}
