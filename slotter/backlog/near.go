package backlog

import (
	"iter"

	"lull/slotter/facts"
	"lull/subjects/ledger"
	"lull/subjects/sorted"
)

// near are the jobs of a kind that rounds look at, in the kind's order. A job that begins is marked only, and
// stays in the list until half of the list is marked: a step may begin a thousand jobs, and none of them
// costs a search.
type near struct {
	list   sorted.List[*facts.Job, struct{}]
	marked int // jobs of the list that are no longer near
}

func newNear(compare func(a, b *ledger.Job) int) near {
	return near{list: sorted.New[*facts.Job, struct{}](func(a, b *facts.Job) int { return compare(a.Life, b.Life) })}
}

// len is the number of near jobs.
func (n *near) len() int { return n.list.Len() - n.marked }

// add adds a job without any attempt.
func (n *near) add(j *facts.Job, k *kind) {
	j.Kind = k
	n.list.Insert(j)
}

// remove removes a job. One that ends without any attempt may be retried, and then added anew, so it leaves
// the list at once.
func (n *near) remove(j *facts.Job) {
	if j.Life.Untried() {
		n.list.Remove(j)
	} else {
		n.marked++
	}
	j.Kind = nil
	if n.marked > n.list.Len()/2 {
		n.list.Keep((*facts.Job).Waits)
		n.marked = 0
	}
}

// removeLast removes the last job, and returns it.
func (n *near) removeLast() *facts.Job {
	j, _ := n.last()
	n.list.Remove(j)
	j.Kind = nil
	return j
}

func (n *near) first() (*facts.Job, bool) { return n.end(n.list.First) }

func (n *near) last() (*facts.Job, bool) { return n.end(n.list.Last) }

// end returns the near job at one end of the list, which loses the marked ones there.
func (n *near) end(of func() (*facts.Job, bool)) (*facts.Job, bool) {
	j, ok := of()
	for ok && !j.Waits() {
		n.list.Remove(j)
		n.marked--
		j, ok = of()
	}
	return j, ok
}

// all yields the near jobs in order.
func (n *near) all() iter.Seq[*facts.Job] {
	return func(yield func(*facts.Job) bool) {
		for j := range n.list.All() {
			if j.Waits() && !yield(j) {
				return
			}
		}
	}
}
