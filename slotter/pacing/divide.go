package pacing

import (
	"lull/slotter/capacity"
	"lull/slotter/queues"
)

// divide works out what each job that runs should read.
func (p *Pacer) divide() {
	plan, jobs := p.claims()
	if p.keepsRates(plan, jobs) {
		return
	}
	for j := range p.pool.Jobs() {
		j.target = target{rates: j.target.rates[:0]}
	}
	p.balance = 0
	if !p.enforced {
		return
	}
	if competes(plan) {
		p.weighReads(plan, jobs)
		if capacity.Plan(plan, max(p.Borrow, 0)) {
			p.balance = p.now + balanceEvery
			p.pool.DecideAt(p.balance)
		}
		for i := range plan {
			jobs[i][0].Queue.Reads.Had = plan[i].Share
		}
	} else {
		p.Weighed = 0 // no queue lacked what another had
	}
	for i := range plan {
		for k := range plan[i].Jobs {
			jobs[i][k].adopt(&plan[i].Jobs[k])
		}
	}
	p.noteRivals(plan, jobs)
}

// weighReads compensates queues for earlier shortfalls: they could not use all of their share in a
// narrow stage, or had to wait for slots. Shares are met over minutes, not at every moment.
func (p *Pacer) weighReads(plan []capacity.Queue, jobs [][]*Job) {
	weights, seconds := 0.0, p.weigh(p.now)
	for i := range plan {
		weights += plan[i].Weight
	}
	for i := range plan {
		fair, q := plan[i].Weight/weights, jobs[i][0].Queue
		q.Reads.Advance(seconds, fair, fair)
		plan[i].Weight = fair - q.Reads.Repayment(repayReads)
	}
}

// claims are what runs, queue by queue, with the jobs that it is of.
func (p *Pacer) claims() (plan []capacity.Queue, jobs [][]*Job) {
	at := map[*queues.Queue]int{}
	for j := range p.pool.Jobs() {
		if j.Life.Held() == 0 {
			continue
		}
		i, ok := at[j.Queue]
		if !ok {
			i = len(plan)
			at[j.Queue] = i
			plan, jobs = append(plan, capacity.Queue{Weight: j.Queue.Weight}), append(jobs, nil)
		}
		plan[i].Jobs, jobs[i] = append(plan[i].Jobs, p.claim(j)), append(jobs[i], j)
	}
	return plan, jobs
}

// competes reports whether there is anything to divide: several queues, or jobs
// beside one with a deadline.
func competes(plan []capacity.Queue) bool {
	jobs, needs := 0, 0.0
	for i := range plan {
		jobs += len(plan[i].Jobs)
		for k := range plan[i].Jobs {
			needs += plan[i].Jobs[k].Needs
		}
	}
	return len(plan) > 1 || jobs > 1 && needs > 0
}
