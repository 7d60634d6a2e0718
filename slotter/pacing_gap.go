package slotter

import (
	"time"

	"lull/slotter/capacity"
)

// betweenTasks is how long a queue with jobs may have no task before the others
// are told to go as fast as they may. From a stage's last task to the next one's
// first, or from a job to the next, it is some ten milliseconds: if rates
// were lifted and set again each time, the competing jobs would get the queue's part
// in bursts, and their controllers would begin anew.
const betweenTasks = int64(time.Second)

// between reports whether rates stay as they are, because a queue that just has no
// task will have some in a moment.
func (p *pacing) between(plan []capacity.Queue, jobs [][]*job) bool {
	if !p.said || !p.mayPace() || len(plan) != 1 || !p.queues.Several() {
		p.lone = 0
		return false
	}
	if p.lone == 0 {
		p.lone = p.now
		p.lacks(jobs)
	}
	if p.now >= p.lone+betweenTasks {
		return false
	}
	p.balance = p.lone + betweenTasks
	p.look(p.balance)
	return true
}

// lacks notes that queues without tasks have nothing from now on. Four such
// moments a job, of 150 ms each, cost a queue with two thirds a twentieth of them.
func (p *pacing) lacks(jobs [][]*job) {
	seconds := p.weigh(p.now)
	for _, q := range p.queues.All() {
		had := 0.0
		if jobs[0][0].queue == q {
			had = q.Reads.Had
		}
		q.Reads.Advance(seconds, had, q.Reads.Fair)
	}
}

// weigh returns the seconds since what queues had was weighed last, and begins anew.
func (p *pacing) weigh(now int64) float64 {
	since := p.weighed
	if p.weighed = now; since == 0 {
		return 0
	}
	return float64(max(now-since, 0)) / 1e9
}
