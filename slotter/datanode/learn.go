package datanode

import (
	"math"
	"slices"
)

// These constants govern how the capacity of a data node is learnt. A node that is shared by more
// tasks than it can serve slows all of them down alike, so load over slowdown is what it gave. Only
// a clear majority of trials changes the limit. Trials that are neither clearly slow nor clearly in
// time change nothing. Otherwise the limit would swing with every slow task.
const (
	minTrials    = 8    // before a limit is set or lowered
	calmTrials   = 16   // before it is raised: trying costs all readers
	slowedBy     = 1.3  // times its prediction that a slowed task takes
	onTime       = 1.15 // times its prediction that a task on time takes at most
	raiseBy      = 1.1  // of the limit, so that a repaired node is noticed
	loadFell     = 0.7  // of the load before a limit: with so little, tasks must be faster
	slowdownFell = 0.85 // of the slowdown before a limit: tasks that are slower are no faster
	skipTrials   = 64   // trials that pass after a limit which did not help; doubles
)

// trial is one finished task: the mean load of its data node, its own predicted reading, and its
// time over the predicted one.
type trial struct {
	Load float64 `msgpack:"l"`
	Rate float64 `msgpack:"r"`
	Slow float64 `msgpack:"s"`
}

func (t trial) alone() bool { return t.Load < 2*t.Rate }

// Learnt is what finished tasks showed of one data node.
type Learnt struct {
	Name     string  `msgpack:"name"`
	Used     uint64  `msgpack:"used"`               // log sequence of the last trial
	Capacity int64   `msgpack:"capacity,omitempty"` // bytes/s, 0 for no limit
	Trials   []trial `msgpack:"trials,omitempty"`   // since the limit changed, oldest first
	// Load and Slow are the load and the slowdown before the limit was lowered, 0 once that has proved
	// right. If tasks are as slow with less load, the cause is something else.
	Load  float64 `msgpack:"load,omitempty"`
	Slow  float64 `msgpack:"slow,omitempty"`
	Skip  uint32  `msgpack:"skip,omitempty"`  // trials that still pass
	Wrong uint32  `msgpack:"wrong,omitempty"` // limits in a row that did not help
}

func (l *Learnt) empty() bool { return l.Capacity == 0 && len(l.Trials) == 0 && l.Wrong == 0 }

// learnFrom learns from a trial, and reports whether the limit has changed.
func (l *Learnt) learnFrom(t trial) bool {
	switch {
	case !(t.Load > 0 && t.Rate > 0 && t.Slow > 0) || math.IsInf(t.Load+t.Rate+t.Slow, 0):
		return false
	case l.Skip > 0:
		l.Skip--
		return false
	case l.Capacity == 0 && t.alone():
		return false // a task that reads alone says nothing about sharing
	}
	l.Trials = append(l.Trials, t)
	if len(l.Trials) > calmTrials {
		l.Trials = slices.Delete(l.Trials, 0, 1)
	}
	before := l.Capacity
	l.judge()
	return l.Capacity != before
}

func (l *Learnt) judge() {
	if len(l.Trials) < minTrials {
		return
	}
	if most(l.Trials[len(l.Trials)-minTrials:], func(t trial) bool { return t.Slow >= slowedBy }) {
		l.lower(l.Trials[len(l.Trials)-minTrials:])
		return
	}
	if l.Capacity == 0 || len(l.Trials) < calmTrials {
		return
	}
	if most(l.Trials, func(t trial) bool { return t.Slow <= onTime && t.Load+t.Rate > float64(l.Capacity) }) {
		load := median(l.Trials, func(t trial) float64 { return t.Load })
		l.setCapacity(raiseBy * math.Max(float64(l.Capacity), load))
		l.Load, l.Slow, l.Wrong = 0, 0, 0
	}
}

// most reports whether is holds for at least three quarters of the list.
func most(list []trial, is func(trial) bool) bool {
	n := 0
	for _, t := range list {
		if is(t) {
			n++
		}
	}
	return 4*n >= 3*len(list)
}

// lower sets the limit to what the node gave, or gives the limit up when it has
// not helped.
func (l *Learnt) lower(list []trial) {
	load := median(list, func(t trial) float64 { return t.Load })
	slow := median(list, func(t trial) float64 { return t.Slow })
	switch {
	case l.Load > 0 && load <= loadFell*l.Load && slow > slowdownFell*l.Slow, most(list, trial.alone):
		l.Capacity, l.Trials, l.Load, l.Slow = 0, nil, 0, 0
		l.Skip = skipTrials << min(l.Wrong, 10)
		l.Wrong++
		return
	case l.Load == 0:
		l.Load, l.Slow = load, slow
	}
	l.setCapacity(median(list, func(t trial) float64 { return t.Load / t.Slow }))
}

func (l *Learnt) setCapacity(capacity float64) {
	l.Capacity = int64(math.Max(1, math.Min(capacity, MaxRate)))
	l.Trials = nil
}

// median returns the median, of an even number of values the upper one.
func median(list []trial, of func(trial) float64) float64 {
	values := make([]float64, len(list))
	for i, t := range list {
		values[i] = of(t)
	}
	slices.Sort(values)
	return values[len(values)/2]
}
