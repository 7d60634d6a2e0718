package backlog

import (
	"iter"

	"lull/slotter/facts"
	"lull/subjects/ledger"
	"lull/subjects/sorted"
)

// near are the jobs of a kind that rounds look at, in the kind's order. A job leaves with its first
// assignment, one of thousands a step. So it is only marked, and the list is tidied up when half of
// it has left: a removal costs no search.
type near struct {
	list sorted.List[*facts.Job, struct{}]
	left int // jobs of the list that are no longer near
}

func newNear(compare func(a, b *ledger.Job) int) near {
	return near{list: sorted.New[*facts.Job, struct{}](func(a, b *facts.Job) int { return compare(a.Life, b.Life) })}
}

func isNear(j *facts.Job) bool { return j.Waits != nil }

// len is the number of near jobs.
func (n *near) len() int { return n.list.Len() - n.left }

func (n *near) add(j *facts.Job) { n.list.Insert(j) }

// remove removes any job.
func (n *near) remove(j *facts.Job) {
	j.Waits = nil
	if n.left++; n.left > n.list.Len()/2 {
		n.list.Keep(isNear)
		n.left = 0
	}
}

// removeLast removes the last job.
func (n *near) removeLast() *facts.Job {
	j, _ := n.last()
	n.list.Remove(j)
	j.Waits = nil
	return j
}

func (n *near) first() (*facts.Job, bool) { return n.end(n.list.First) }

func (n *near) last() (*facts.Job, bool) { return n.end(n.list.Last) }

// end returns the near job at one end of the list.
func (n *near) end(of func() (*facts.Job, bool)) (*facts.Job, bool) {
	j, ok := of()
	for ok && !isNear(j) {
		n.list.Remove(j)
		n.left--
		j, ok = of()
	}
	return j, ok
}

// all yields the near jobs in order.
func (n *near) all() iter.Seq[*facts.Job] {
	return func(yield func(*facts.Job) bool) {
		for j := range n.list.All() {
			if isNear(j) && !yield(j) {
				return
			}
		}
	}
}
