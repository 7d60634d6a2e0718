package pacing

import (
	"time"

	"lull/slotter/capacity"
)

// betweenTasks is how long a queue with jobs may have no task before the rates of the others are
// lifted. From a stage's last task to the next one's first, or from a job to the next, some ten
// milliseconds pass. If rates were lifted and set again each time, the competing jobs would get the
// queue's part in bursts, and their controllers would begin anew.
const betweenTasks = int64(time.Second)

// keepsRates reports whether rates stay as they are, because a queue that just has no
// task will have some in a moment.
func (p *Pacer) keepsRates(plan []capacity.Queue, jobs [][]*Job) bool {
	if !p.held || !p.enforced || len(plan) != 1 || !p.pool.Queues().Several() {
		p.Lone = 0
		return false
	}
	if p.Lone == 0 {
		p.Lone = p.now
		p.weighIdle(jobs)
	}
	if p.now >= p.Lone+betweenTasks {
		return false
	}
	p.balance = p.Lone + betweenTasks
	p.pool.DecideAt(p.balance)
	return true
}

// weighIdle notes that queues without tasks read nothing from now on. Without it, four such moments
// a job, of 150 ms each, would cost a queue with two thirds of the capacity a twentieth of it.
func (p *Pacer) weighIdle(jobs [][]*Job) {
	seconds := p.weigh(p.now)
	for _, q := range p.pool.Queues().All() {
		had := 0.0
		if jobs[0][0].Queue == q {
			had = q.Reads.Had
		}
		q.Reads.Advance(seconds, had, q.Reads.Fair)
	}
}

// weigh returns the seconds since what queues had was weighed last, and begins anew.
func (p *Pacer) weigh(now int64) float64 {
	since := p.Weighed
	if p.Weighed = now; since == 0 {
		return 0
	}
	return float64(max(now-since, 0)) / 1e9
}
