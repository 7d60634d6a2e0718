// Package backlog keeps the jobs that have not begun so that a round looks at few of them.
package backlog

import (
	"lull/slotter/facts"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// Backlog has the live jobs without any attempt yet, by kind: the jobs of a queue whose tasks have
// the same needs. The first jobs of a kind, by deadline and then by submission, are near: rounds
// look at them. The others are far and cost nothing until a job before them begins or ends, or they
// have waited for long. So a round's time does not grow with the queue.
//
//	kind ──▶ near ──▶ job, job, … begins ──▶ only in facts.jobs
//	     ──▶ far  ──▶ ▲ life, life, …
type Backlog struct {
	*facts.Catalog
	of     map[string]*kind
	byName []*kind
	near   int // jobs of each kind that rounds look at, at least
	places int // that the present hosts offer
}

// leastNear is the number of jobs of a kind that rounds look at in a small pool. Among
// these the policy chooses by curve. In a large pool it is two for each place, so that a
// round finds a task for every slot.
const leastNear = 256

// New returns a backlog without jobs.
func New(f *facts.Facts) *Backlog {
	return &Backlog{Catalog: facts.NewCatalog(f), of: map[string]*kind{}, near: leastNear}
}

// Open adds a job that may run from now on. One that waits for other jobs stays out: it would take the place of a
// job that can run.
func (b *Backlog) Open(life *ledger.Job) {
	if !life.Live() || life.Awaiting != nil {
		return
	}
	if life.Untried() {
		b.enqueue(life)
		return
	}
	b.Schedule(life)
}

// Close removes a job that has ended. It reports whether rounds looked at it.
func (b *Backlog) Close(life *ledger.Job) bool {
	j := b.remove(life)
	if j != nil {
		b.Unschedule(j)
	}
	return j != nil
}

// MarkServed notes that the job was given a slot.
func (b *Backlog) MarkServed(life *ledger.Job) {
	j := b.remove(life)
	if j == nil {
		j = b.Schedule(life)
	}
	j.Served = b.Now
}

// enqueue adds a job without any attempt.
func (b *Backlog) enqueue(life *ledger.Job) {
	k := b.kindOf(life, life.Shape.Share())
	if first, ok := k.far.First(); ok && k.compare(first, life) < 0 {
		k.addFar(life)
		return
	}
	b.promote(k, life)
	b.balance(k)
}

// promote makes a job near.
func (b *Backlog) promote(k *kind, life *ledger.Job) *facts.Job {
	j := b.Schedule(life)
	k.near.add(j, k)
	return j
}

// demoteLast makes the last near job far.
func (b *Backlog) demoteLast(k *kind) {
	j := k.near.removeLast()
	b.Unschedule(j)
	k.addFar(j.Life)
}

// balance moves jobs between near and far until as many are near as should be.
func (b *Backlog) balance(k *kind) {
	for k.near.len() > k.least {
		b.demoteLast(k)
	}
	for k.near.len() < k.least && k.far.Len() > 0 {
		first, _ := k.far.First()
		k.removeFar(first)
		b.promote(k, first).Served = first.Admitted
	}
	if k.near.len() == 0 {
		b.dropKind(k)
	}
}

// PromoteOldest makes those of the oldest jobs near that are far and have waited for long.
// Otherwise a stream of earlier deadlines would starve a job with a late deadline or
// none. It looks only at the oldest live jobs, so that rounds stay short.
func (b *Backlog) PromoteOldest() {
	looks := 0
	for life := range b.Ledger.LiveJobs().All() {
		if looks++; looks > 2*b.near { // those that run are fewer than near
			return
		}
		if !life.Live() || life.Awaiting != nil || b.Jobs.Of[life] != nil || b.Now-life.Admitted <= facts.Starving {
			continue
		}
		b.kindOf(life, life.Shape.Share()).removeFar(life)
		b.Schedule(life).Served = life.Admitted
		b.Due.Slots = true
	}
}

// coresOf is the thousandths of cores that the job's first stages can use at once.
func coresOf(life *ledger.Job) (n int64) {
	for i := range life.Stages {
		if life.Ready(i) {
			n += int64(spec.MostAtOnce(life.Shape, i)) * int64(life.Shape.Stages[i].Cores())
		}
	}
	return n
}

// remove takes a job out of the backlog: one of its tasks was tried, or it ended. It
// returns nil for a job that was far.
func (b *Backlog) remove(life *ledger.Job) *facts.Job {
	j := b.Jobs.Of[life]
	switch {
	case j == nil:
		k := b.kindOf(life, life.Shape.Share())
		k.removeFar(life)
		b.balance(k)
	case j.Waits():
		k := j.Kind.(*kind)
		k.near.remove(j)
		b.balance(k)
	}
	return j
}

// FarSeconds is how long the far jobs would keep the pool's cores busy, in seconds on a usual
// slot.
func (b *Backlog) FarSeconds() (seconds float64) {
	for _, k := range b.byName {
		if first, ok := k.near.first(); ok && k.tasks > 0 {
			seconds += float64(k.tasks) / float64(spec.Core) * b.Usual(first.Stages[0].Curve)
		}
	}
	return seconds
}
