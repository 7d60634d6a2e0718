package facts

import (
	"fmt"

	"lull/subjects/spec"
)

// MaxQueues bounds the queues that exist only because jobs name them: each one costs the
// slotter an account and a turn in every round. The default queue and those that an
// operator set do not count, so that one submitter cannot keep the others out of them.
const MaxQueues = 256

// QueueNames counts the live jobs of each queue, those that were admitted in this step
// included. A queue without live jobs is not in it.
type QueueNames struct {
	*Facts
	Jobs map[string]int
}

// NewQueueNames counts from no job on.
func NewQueueNames(f *Facts) QueueNames { return QueueNames{f, map[string]int{}} }

// Join counts a job of a queue.
func (q *QueueNames) Join(name string) { q.Jobs[name]++ }

// Leave counts a job of a queue no longer.
func (q *QueueNames) Leave(name string) {
	if q.Jobs[name]--; q.Jobs[name] <= 0 {
		delete(q.Jobs, name)
	}
}

// Refuses says why no job may go to a queue, "" if one may: at the bound none may bring a
// further queue into being.
func (q *QueueNames) Refuses(name string) string {
	if q.Jobs[name] > 0 || len(q.Jobs) < MaxQueues || q.fixed(name) {
		return ""
	}
	unset := 0
	for other := range q.Jobs {
		if !q.fixed(other) {
			unset++
		}
	}
	if unset < MaxQueues {
		return ""
	}
	return fmt.Sprintf("queue %s would be one more than the %d that jobs may bring into being by their names: "+
		"name a queue that lull queues lists, or have an operator make this one (lull queue set %s)", name, MaxQueues, name)
}

// fixed reports whether a queue exists without any job.
func (q *QueueNames) fixed(name string) bool {
	_, set := q.Ledger.Queue(name)
	return set || name == spec.DefaultQueue
}
