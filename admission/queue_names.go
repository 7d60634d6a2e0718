package admission

import (
	"fmt"

	"lull/subjects/spec"
)

// maxQueues bounds the queues that exist only because jobs name them: each one costs the
// slotter an account and a turn in every round. The default queue and those that an
// operator set do not count, so that one submitter cannot keep the others out of them.
const maxQueues = 256

// queueNames counts the live jobs of each queue, those that were admitted in this step
// included. A queue without live jobs is not in it.
type queueNames struct {
	*facts
	jobs map[string]int
}

func (q *queueNames) join(l *load) { q.jobs[l.shape.Share()]++ }

func (q *queueNames) leave(l *load) {
	name := l.shape.Share()
	if q.jobs[name]--; q.jobs[name] <= 0 {
		delete(q.jobs, name)
	}
}

// refuses says why no job may go to a queue, "" if one may: at the bound none may bring a
// further queue into being.
func (q *queueNames) refuses(name string) string {
	if q.jobs[name] > 0 || len(q.jobs) < maxQueues || q.fixed(name) {
		return ""
	}
	unset := 0
	for other := range q.jobs {
		if !q.fixed(other) {
			unset++
		}
	}
	if unset < maxQueues {
		return ""
	}
	return fmt.Sprintf("queue %s would be one more than the %d that jobs may bring into being by their names: "+
		"name a queue that lull queues lists, or have an operator make this one (lull queue set %s)", name, maxQueues, name)
}

// fixed reports whether a queue exists without any job.
func (q *queueNames) fixed(name string) bool {
	_, said := q.state.Queue(name)
	return said || name == spec.DefaultQueue
}
