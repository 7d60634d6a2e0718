package admission

import (
	"cmp"
	"math"
	"slices"
	"time"

	"lull/subjects/ledger"
)

// load is a job in the queue, as far as deadlines go. Times are spans from now.
type load struct {
	prediction
	id       string
	seq      uint64 // by submission
	deadline time.Duration
}

// none is the deadline of a job without one: behind all others.
const none = time.Duration(math.MaxInt64)

// queue is the order in which deadlines are served, earliest first.
type queue []load

func earlier(a, b load) int {
	return cmp.Or(cmp.Compare(a.deadline, b.deadline), cmp.Compare(a.seq, b.seq))
}

// insert adds a load behind those of the same deadline.
func (q queue) insert(l load) queue {
	at, _ := slices.BinarySearchFunc(q, l, earlier)
	return slices.Insert(q, at, l)
}

// before is the part of the queue that comes before a new job of a deadline.
func (q queue) before(deadline time.Duration) queue {
	at, _ := slices.BinarySearchFunc(q, deadline, func(l load, d time.Duration) int {
		if l.deadline <= d {
			return -1
		}
		return 1
	})
	return q[:at]
}

// work is how long the queue takes.
func (q queue) work() time.Duration {
	sum := time.Duration(0)
	for _, l := range q {
		sum = plus(sum, l.work)
	}
	return sum
}

// queue lines up the live jobs that were admitted.
func (a *Actor) queue(c *capacity) queue {
	var q queue
	for _, j := range a.state.LiveJobs() {
		if j.Live() {
			q = append(q, a.load(c, j))
		}
	}
	slices.SortFunc(q, earlier)
	return q
}

func (a *Actor) load(c *capacity, j *ledger.Job) load {
	remaining := make([]int, len(j.Stages))
	for i, st := range j.Stages {
		remaining[i] = st.Len() - st.Done
	}
	return load{
		prediction: a.predict(c, &j.Spec, remaining),
		id:         j.ID, seq: j.Seq, deadline: a.until(j.Deadline),
	}
}

// until is the span from now to a deadline.
func (a *Actor) until(deadline int64) time.Duration {
	if deadline == 0 {
		return none
	}
	return time.Duration(deadline - a.now)
}
