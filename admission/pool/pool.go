// Package pool holds what predictions are made of: the jobs that wait and run, what the hosts offer, what
// tasks cost there, and the jobs that are tried because nothing is known of their tasks.
package pool

import (
	"maps"
	"slices"

	"lull/admission/facts"
	"lull/admission/outlook"
	"lull/subjects"
	"lull/subjects/ledger"
)

// Pool is what predictions are made of: the jobs that wait and run, what the hosts
// offer, and what tasks cost there.
type Pool struct {
	*facts.Facts
	Supply  *supply
	Costs   *costs
	Queue   queue            // live jobs that were admitted, by deadline
	Names   facts.QueueNames // that those jobs have
	like    Load             // a key for searches of Queue, reused
	placed  map[string]bool  // jobs that were placed, and have not ended
	touched map[string]bool  // jobs with tasks that changed since the last look
	Running *Running
	Trials  *Trials
}

// New returns the pool of a log without live jobs.
func New(f *facts.Facts) *Pool {
	s := &supply{Facts: f, Usage: map[string]*outlook.Window{}, Warp: outlook.Steady, days: days{Facts: f}, fences: fences{Facts: f}}
	p := &Pool{Facts: f, Supply: s, Costs: newCosts(f, s), Queue: NewQueue(), Names: facts.NewQueueNames(f), touched: map[string]bool{}, placed: map[string]bool{}}
	p.Running = &Running{Facts: f, supply: s, costs: p.Costs, load: p.Load}
	p.Trials = &Trials{Facts: f, pool: p, Loads: map[string]*Load{}}
	return p
}

// Follow keeps the queue as the ledger's jobs are, and notes what the next
// look at the pool has to find.
func (p *Pool) Follow(e subjects.Event, c ledger.Change) {
	switch e := e.(type) {
	case *subjects.Admitted, *subjects.Retried:
		p.Enqueue(p.Ledger.Job(subjects.JobOf(e)))
	case *subjects.Trying:
		p.Trials.Add(c.Job)
	case *subjects.Rejected:
		p.Trials.ended(e.Job, nil)
	case *subjects.JobFinished, *subjects.JobFailed, *subjects.Cancelled:
		p.Trials.ended(subjects.JobOf(e), nil)
		p.leave(p.Ledger.Job(subjects.JobOf(e)))
	case *subjects.Fitted:
		p.Costs.curves.Forget(e.Type)
		p.Costs.refitted[e.Type] = true
	case *subjects.Joined:
		p.Supply.At = 0
		if len(p.Supply.Usage) > len(p.Ledger.Hosts()) {
			maps.DeleteFunc(p.Supply.Usage, func(host string, _ *outlook.Window) bool { return p.Ledger.Host(host) == nil })
		}
	case *subjects.Left, *subjects.Lost, *subjects.Paused, *subjects.Drained,
		*subjects.Resumed, *subjects.PoolPaused, *subjects.PoolResumed:
		p.Supply.At = 0
	case *subjects.Finished:
		p.noteFinished(e, c)
		p.touched[e.Job] = true
	case *subjects.Assigned, *subjects.Failed, *subjects.Evicted, *subjects.Declined,
		*subjects.Revoked, *subjects.OutputLost, *subjects.OutputMissing, *subjects.StageFailed, *subjects.TasksCancelled:
		p.touched[subjects.JobOf(e)] = true
	}
}

// FollowPlaces keeps what placed jobs may use as the log says.
func (p *Pool) FollowPlaces(e subjects.Event, c ledger.Change) {
	p.Supply.fences.follow(e, c)
	switch e := e.(type) {
	case *subjects.Placed:
		p.placed[e.Job] = true
		p.updatePlaces(c.Job)
	case *subjects.Steered:
		p.updatePlaces(c.Job)
	case *subjects.JobFinished, *subjects.JobFailed, *subjects.Cancelled:
		delete(p.placed, subjects.JobOf(e))
	case *subjects.Assigned:
		if c.Job.Placement != nil && c.Job.Placement.Beyond {
			p.updatePlaces(c.Job)
		}
	case *subjects.Endangered:
		if c.Job.Placement != nil {
			p.updatePlaces(c.Job)
		}
	case *subjects.Left, *subjects.Lost, *subjects.Drained, *subjects.Joined, *subjects.Resumed:
		for id := range p.placed {
			p.updatePlaces(p.Ledger.Job(id))
		}
	}
}

// updatePlaces gives a job's stages the slots of the hosts on which it may run now.
func (p *Pool) updatePlaces(j *ledger.Job) {
	if j == nil {
		return
	}
	l := p.Load(j)
	if l == nil {
		return
	}
	for i := range l.Stages {
		if l.Stages[i].Unit.Class != p.Costs.classOf(l, &l.Shape.Stages[i]) {
			p.Costs.resolve(l, i)
			p.touched[j.ID] = true
		}
	}
}

// Enqueue puts a live job into the queue.
func (p *Pool) Enqueue(j *ledger.Job) {
	l := p.loadOf(j)
	if j.Placement != nil {
		p.placed[j.ID] = true
	}
	p.Supply.fences.learn(j)
	p.Trials.ended(j.ID, l)
	p.Enter(l)
}

// Enter puts a load into the queue.
func (p *Pool) Enter(l *Load) {
	p.Queue.Insert(l)
	p.Names.Join(l.Shape.Share())
}

// Exit takes a load out of the queue.
func (p *Pool) Exit(l *Load) {
	p.Queue.Remove(l)
	p.Names.Leave(l.Shape.Share())
}

// loadOf is what a live job asks of the pool.
func (p *Pool) loadOf(j *ledger.Job) *Load {
	l := p.Costs.NewLoad(j.Shape, j)
	l.place(j)
	p.Weigh(l)
	l.Since = p.Conditions()
	return l
}

// Weigh sums up what a load's stages cost, and what their tasks fetch.
func (p *Pool) Weigh(l *Load) {
	p.Costs.fetches(l)
	l.weigh(p.Supply.blocking)
}

// Remainder is a load once so many tasks of each stage are left, and none of them runs.
func (p *Pool) Remainder(l *Load, left func(stage int) int) *Load {
	rest := *l
	rest.Stages = slices.Clone(l.Stages)
	for i := range rest.Stages {
		rest.Stages[i].Left, rest.Stages[i].Until = left(i), 0
	}
	rest.weigh(p.Supply.blocking)
	return &rest
}

// Load finds that of a job, nil if none is in the queue.
func (p *Pool) Load(j *ledger.Job) *Load {
	p.like.place(j)
	l, _ := p.Queue.Find(&p.like)
	if l == nil && j.Shape.Late { // its deadline may have passed
		p.like.Deadline = None
		l, _ = p.Queue.Find(&p.like)
	}
	return l
}

func (p *Pool) leave(j *ledger.Job) {
	if j == nil {
		return
	}
	if l := p.Load(j); l != nil {
		p.Exit(l)
	}
}

// Conditions are what the pool offered when a job was admitted, as far as this
// instance saw it.
type Conditions struct {
	Idle  float64 // cores that the primaries leave
	slots int
}

// Conditions are what the pool offers now.
func (p *Pool) Conditions() Conditions {
	c := Conditions{slots: p.Supply.Slots}
	for i := range p.Supply.offers {
		c.Idle += p.Supply.Idle(p.Supply.offers[i].host)
	}
	return c
}
