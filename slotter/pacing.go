package slotter

import (
	"time"

	"lull/slotter/capacity"
	"lull/slotter/queues"
	"lull/subjects"
	"lull/subjects/ledger"
)

// pacing holds jobs that compete to their shares of the pool's capacity, in bytes/s
// (Park and Humphrey, section 5). A slot is a core at most; where tasks share
// more than cores, or more slots than there are cores, only a rate says what
// each of them may have.
//
// Rates are computed anew as tasks come and go. The hosts that run the tasks are told
// when their rates are off by more than a little. Where no jobs compete,
// none is paced.
type pacing struct {
	*tracker
	due  bool  // something changed since the last look
	news bool  // a stage began or ended, or an operator spoke: it cannot wait
	at   int64 // when the capacity was divided last
	said bool  // hosts may hold rates

	balance int64 // when it is to be divided again at the latest, 0 for not before something happens
	weighed int64 // when what queues had was weighed last
	lone    int64 // since when one queue has tasks though others have jobs, 0 if it is not so
}

const (
	// divideEvery bounds how often the capacity is divided: a task that ends in a
	// large job changes little for the others.
	divideEvery = int64(time.Second)
	// balanceEvery is when what queues had is weighed again, if nothing happens.
	balanceEvery = int64(5 * time.Second)
	// repayReads is the time over which capacity is made up for, in seconds: rates
	// follow within some seconds, so it can be short.
	repayReads = 30
	// offBy is by how much a rate must be off to be said anew: controllers take
	// some three seconds to settle, and should not chase noise.
	offBy = 0.05
)

// pace is what each of a job's tasks should read, stage by stage.
type pace struct {
	rates []subjects.Rate // of the stages that run: 0 for as fast as they may
	share float64         // of the pool's capacity
	why   string
	sakes []string // jobs for whose sake it is no more
}

// decide says at which rates tasks are to read from now on.
func (p *pacing) decide(b *batch) {
	p.due = p.due || p.balance != 0 && p.balance <= p.now
	if !p.due || !p.said && !p.mayPace() || b.room() == 0 {
		return
	}
	if p.at != 0 && p.now < p.at+divideEvery && !p.news {
		p.look(p.at + divideEvery)
	} else {
		p.settle()
		p.divide()
		p.at, p.due, p.news = p.now, false, false
	}
	if p.lone == 0 || p.now >= p.lone+betweenTasks { // else rates stay as they are
		p.report(b)
	}
}

// moves notes that a task of a stage came or went. The first and the last of a
// stage change what the job can use.
func (p *pacing) moves(st *ledger.Stage) {
	p.due = true
	p.news = p.news || st.Held <= 1
}

// mayPace reports whether jobs that compete are to be paced.
func (p *pacing) mayPace() bool {
	switch p.cfg.Pace {
	case PaceOn:
		return true
	case PaceAuto:
		return p.queues.Weighted()
	}
	return false
}

// divide works out what each job that runs should read.
func (p *pacing) divide() {
	plan, jobs := p.claims()
	if p.between(plan, jobs) {
		return
	}
	for _, j := range p.jobs.bySeq {
		j.pace = pace{rates: j.pace.rates[:0]}
	}
	p.balance = 0
	if !p.mayPace() {
		return
	}
	if competes(plan) {
		p.weighReads(plan, jobs)
		if capacity.Plan(plan, max(p.cfg.Borrow, 0)) {
			p.balance = p.now + balanceEvery
			p.look(p.balance)
		}
		for i := range plan {
			jobs[i][0].queue.Reads.Had = plan[i].Share
		}
	} else {
		p.weighed = 0 // no queue lacked what another had
	}
	for i := range plan {
		for k := range plan[i].Jobs {
			jobs[i][k].adopt(&plan[i].Jobs[k])
		}
	}
	p.giveWay(plan, jobs)
}

// weighReads makes up for what queues had too little of: because they could not
// use all of their share in a narrow stage, or had to wait for slots. Shares hold
// over minutes, not at every moment.
func (p *pacing) weighReads(plan []capacity.Queue, jobs [][]*job) {
	weights, seconds := 0.0, p.weigh(p.now)
	for i := range plan {
		weights += plan[i].Weight
	}
	for i := range plan {
		fair, q := plan[i].Weight/weights, jobs[i][0].queue
		q.Reads.Advance(seconds, fair, fair)
		plan[i].Weight = fair - q.Reads.Owes(repayReads)
	}
}

// claims are what runs, queue by queue, with the jobs that it is of.
func (p *pacing) claims() (plan []capacity.Queue, jobs [][]*job) {
	at := map[*queues.Queue]int{}
	for _, j := range p.jobs.bySeq {
		if j.life.Held() == 0 {
			continue
		}
		i, ok := at[j.queue]
		if !ok {
			i = len(plan)
			at[j.queue] = i
			plan, jobs = append(plan, capacity.Queue{Weight: j.queue.Weight}), append(jobs, nil)
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

// adopt takes over what the plan gives the job.
func (j *job) adopt(planned *capacity.Job) {
	j.pace.share, j.pace.why = round6(planned.Share), subjects.PaceShare
	if planned.Needs > 0 && planned.Share <= planned.Needs*(1+offBy) {
		j.pace.why = subjects.PaceDeadline
	}
	for i := range planned.Stages {
		st := &planned.Stages[i]
		j.pace.rates = append(j.pace.rates, subjects.Rate{Stage: st.Stage, Rate: float64(int64(st.Rate))})
	}
}

func round6(x float64) float64 { return float64(int64(x*1e6+0.5)) / 1e6 }
