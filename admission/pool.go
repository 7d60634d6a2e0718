package admission

import (
	"maps"

	"lull/admission/outlook"
	"lull/subjects"
	"lull/subjects/ledger"
)

// pool is what predictions are made of: the jobs that wait and run, what the hosts
// offer, and what tasks cost there.
type pool struct {
	*facts
	supply  *supply
	costs   *costs
	queue   queue           // live jobs that were admitted, by deadline
	names   queueNames      // that those jobs have
	like    load            // by which one of them is found
	placed  map[string]bool // jobs that were placed, and have not ended
	touched map[string]bool // jobs with tasks that changed since the last look
	paced   []*load         // that ran at the last check of the promises
	trials  *trials
}

func newPool(f *facts) *pool {
	s := &supply{facts: f, usage: map[string]*outlook.Window{}, warp: outlook.Steady, fences: fences{facts: f}}
	p := &pool{facts: f, supply: s, costs: newCosts(f, s), queue: newQueue(), names: queueNames{f, map[string]int{}}, touched: map[string]bool{}, placed: map[string]bool{}}
	p.trials = &trials{facts: f, pool: p, loads: map[string]*load{}}
	return p
}

// follow keeps the queue as the ledger's jobs are, and notes what the next
// look at the pool has to find.
func (p *pool) follow(e subjects.Event, c ledger.Change) {
	switch e := e.(type) {
	case *subjects.Admitted, *subjects.Retried:
		p.line(p.state.Job(subjects.JobOf(e)))
	case *subjects.Trying:
		p.trials.began(c.Job)
	case *subjects.Rejected:
		p.trials.ended(e.Job, nil)
	case *subjects.JobFinished, *subjects.JobFailed, *subjects.Cancelled:
		p.trials.ended(subjects.JobOf(e), nil)
		p.leave(p.state.Job(subjects.JobOf(e)))
	case *subjects.Fitted:
		p.costs.curves.Forget(e.Type)
		p.costs.refitted[e.Type] = true
	case *subjects.Joined:
		p.supply.at = 0
		if len(p.supply.usage) > len(p.state.Hosts()) {
			maps.DeleteFunc(p.supply.usage, func(host string, _ *outlook.Window) bool { return p.state.Host(host) == nil })
		}
	case *subjects.Left, *subjects.Lost, *subjects.Paused, *subjects.Drained,
		*subjects.Resumed, *subjects.PoolPaused, *subjects.PoolResumed:
		p.supply.at = 0
	case *subjects.Finished:
		p.shows(e, c)
		p.touched[e.Job] = true
	case *subjects.Assigned, *subjects.Failed, *subjects.Evicted, *subjects.Declined,
		*subjects.Revoked, *subjects.OutputLost, *subjects.OutputMissing, *subjects.StageFailed:
		p.touched[subjects.JobOf(e)] = true
	}
}

// followPlaces keeps what placed jobs may use as the log says.
func (p *pool) followPlaces(e subjects.Event, c ledger.Change) {
	p.supply.fences.follow(e, c)
	switch e := e.(type) {
	case *subjects.Placed:
		p.placed[e.Job] = true
		p.replace(c.Job)
	case *subjects.Steered:
		p.replace(c.Job)
	case *subjects.JobFinished, *subjects.JobFailed, *subjects.Cancelled:
		delete(p.placed, subjects.JobOf(e))
	case *subjects.Assigned:
		if c.Job.Placement != nil && c.Job.Placement.Beyond {
			p.replace(c.Job)
		}
	case *subjects.Endangered:
		if c.Job.Placement != nil {
			p.replace(c.Job)
		}
	case *subjects.Left, *subjects.Lost, *subjects.Drained, *subjects.Joined, *subjects.Resumed:
		for id := range p.placed {
			p.replace(p.state.Job(id))
		}
	}
}

// replace gives a job's stages the slots of the hosts on which it may run now.
func (p *pool) replace(j *ledger.Job) {
	if j == nil {
		return
	}
	l := p.load(j)
	if l == nil {
		return
	}
	for i := range l.terms {
		if l.terms[i].unit.class != p.costs.classOf(l, &l.shape.Stages[i]) {
			p.costs.resolve(l, i)
			p.touched[j.ID] = true
		}
	}
}

// line puts a live job into the queue.
func (p *pool) line(j *ledger.Job) {
	l := p.loadOf(j)
	if j.Placement != nil {
		p.placed[j.ID] = true
	}
	p.supply.fences.learn(j)
	p.trials.ended(j.ID, l)
	p.enter(l)
}

// enter puts a load into the queue, exit takes it out.
func (p *pool) enter(l *load) {
	p.queue.Insert(l)
	p.names.join(l)
}

func (p *pool) exit(l *load) {
	p.queue.Remove(l)
	p.names.leave(l)
}

// loadOf is what a live job asks of the pool.
func (p *pool) loadOf(j *ledger.Job) *load {
	l := p.costs.newLoad(j.Shape, j)
	l.place(j)
	p.weigh(l)
	l.since = p.conditions()
	return l
}

// weigh sums up what a load's stages cost, and what their tasks fetch.
func (p *pool) weigh(l *load) {
	p.costs.fetches(l)
	l.weigh(p.supply.blocking)
}

// load finds that of a job, nil if none is in the queue.
func (p *pool) load(j *ledger.Job) *load {
	p.like.place(j)
	l, _ := p.queue.Find(&p.like)
	if l == nil && j.Shape.Late { // its deadline may have passed
		p.like.deadline = none
		l, _ = p.queue.Find(&p.like)
	}
	return l
}

func (p *pool) leave(j *ledger.Job) {
	if j == nil {
		return
	}
	if l := p.load(j); l != nil {
		p.exit(l)
	}
}

// conditions are what the pool offered when a job was admitted, as far as this
// instance saw it.
type conditions struct {
	idle  float64 // cores that the primaries leave
	slots int
}

func (p *pool) conditions() conditions {
	c := conditions{slots: p.supply.slots}
	for i := range p.supply.offers {
		c.idle += p.supply.idle(p.supply.offers[i].host)
	}
	return c
}
