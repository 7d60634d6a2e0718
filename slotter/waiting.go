package slotter

import (
	"iter"
	"slices"
	"strings"

	"lull/subjects/ledger"
)

// waiting holds the live jobs without any attempt yet, by kind: the jobs of a queue
// whose tasks have the same needs. The first jobs of a kind, by deadline and then by
// submission, are near: rounds look at them. The others are far and cost nothing until
// a job before them begins or ends, or they have waited for long. So a round's time
// does not grow with the queue.
//
//	kind ──▶ near ──▶ job, job, … begins ──▶ only in Actor.jobs
//	     ──▶ far  ──▶ ▲ life, life, …
type waiting struct {
	of     map[string]*kind
	byName []*kind
	near   int // jobs of each kind that rounds look at, at least
}

// leastNear is the number of jobs of a kind that rounds look at in a small pool. Among
// these the policy chooses by curve. In a large pool it is two for each place, so that a
// round finds a task for every slot.
const leastNear = 256

func newWaiting() waiting { return waiting{of: map[string]*kind{}, near: leastNear} }

// await adds a job without any attempt to those that wait.
func (a *Actor) await(life *ledger.Job) {
	k := a.kind(life, life.Shape.Share())
	if first, ok := k.far.First(); ok && k.compare(first, life) < 0 {
		k.push(life)
		return
	}
	a.approach(k, life)
	a.keepNear(k)
}

// approach makes a job near.
func (a *Actor) approach(k *kind, life *ledger.Job) *job {
	j := a.schedule(life)
	j.kind = k
	k.near.Insert(j)
	return j
}

// keepNear moves jobs between near and far until as many are near as should be.
func (a *Actor) keepNear(k *kind) {
	for k.near.Len() > k.least {
		last, _ := k.near.Last()
		k.near.Remove(last)
		a.unschedule(last)
		k.push(last.life)
	}
	for k.near.Len() < k.least && k.far.Len() > 0 {
		first, _ := k.far.First()
		k.pull(first)
		a.approach(k, first).served = first.Admitted
	}
	if k.near.Len() == 0 {
		a.waiting.drop(k)
	}
}

// callOldest makes those of the oldest jobs near that are far and have waited for long.
// Otherwise a stream of earlier deadlines would starve a job with a late deadline or
// none. It looks only at the oldest live jobs, so that rounds stay short.
func (a *Actor) callOldest() {
	looks := 0
	for life := range a.state.LiveJobs().All() {
		if looks++; looks > 2*a.waiting.near { // those that run are fewer than near
			return
		}
		if !life.Live() || a.jobs.of[life] != nil || a.now-life.Admitted <= starving {
			continue
		}
		a.kind(life, life.Shape.Share()).pull(life)
		a.schedule(life).served = life.Admitted
		a.due.slots = true
	}
}

// coresOf is the number of cores that the job's first stages can use at once.
func coresOf(life *ledger.Job) (n int64) {
	for i := range life.Stages {
		if life.Ready(i) {
			n += int64(life.Shape.Stages[i].Tasks) * int64(life.Shape.Stages[i].CPU)
		}
	}
	return n
}

// leaves removes a job from those that wait: one of its tasks was tried, or it ended. It
// returns nil for a job that was far.
func (a *Actor) leaves(life *ledger.Job) *job {
	j := a.jobs.of[life]
	switch {
	case j == nil:
		k := a.kind(life, life.Shape.Share())
		k.pull(life)
		a.keepNear(k)
	case j.kind != nil:
		k := j.kind
		j.kind = nil
		k.near.Remove(j)
		a.keepNear(k)
	}
	return j
}

// seat adjusts the number of near jobs to the pool's places.
func (a *Actor) seat() {
	places := 0
	for _, h := range a.state.Hosts() {
		if !h.Gone {
			places += int(h.Joined.Slots + h.Joined.Ahead)
		}
	}
	if near := max(leastNear, 2*places); near != a.waiting.near {
		a.waiting.near = near
		for _, k := range slices.Clone(a.waiting.byName) {
			said, _ := a.state.Queue(strings.SplitN(k.name, "\x00", 2)[0])
			k.least = max(near, int(said.Jobs))
			a.keepNear(k)
		}
	}
}

// far is how long the far jobs would keep the pool's cores busy, in seconds on a usual
// slot.
func (a *Actor) far() (seconds float64) {
	for _, k := range a.waiting.byName {
		if first, ok := k.near.First(); ok && k.tasks > 0 {
			seconds += float64(k.tasks) * a.usual(first.stages[0].curve)
		}
	}
	return seconds
}

// live yields the jobs that may run, by submission, with the job that rounds look at, nil
// for a far one.
func (a *Actor) live() iter.Seq2[*ledger.Job, *job] {
	return func(yield func(*ledger.Job, *job) bool) {
		for life := range a.state.LiveJobs().All() {
			if life.Live() && !yield(life, a.jobs.of[life]) {
				return
			}
		}
	}
}
