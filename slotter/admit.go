package slotter

import "slices"

// admit finds out which jobs may have tasks in this round. Of a queue with a limit these
// are the jobs that run, and then, by submission, those that a host could run. A job
// whose hosts are away takes no other's place.
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
	for i, st := range j.life.Stages {
		if st.Waiting() == 0 || !j.life.Ready(i) {
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
