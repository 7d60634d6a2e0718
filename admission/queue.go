package admission

import (
	"cmp"
	"slices"
)

// queue is the order in which deadlines are served, earliest first.
type queue []*load

func earlier(x, y *load) int {
	return cmp.Or(cmp.Compare(x.deadline, y.deadline), cmp.Compare(x.seq, y.seq))
}

// insert puts a load into its place, which it returns.
func (q *queue) insert(l *load) int {
	at, found := slices.BinarySearchFunc(*q, l, earlier)
	if !found {
		*q = slices.Insert(*q, at, l)
	}
	return at
}

// remove takes a load from its place, which it returns.
func (q *queue) remove(l *load) int {
	at, found := slices.BinarySearchFunc(*q, l, earlier)
	if found {
		*q = slices.Delete(*q, at, at+1)
	}
	return at
}

// before is how many jobs come before a new one of a deadline: those of the
// same deadline were there first.
func (q queue) before(deadline int64) int {
	at, _ := slices.BinarySearchFunc(q, deadline, func(l *load, d int64) int {
		if l.deadline <= d {
			return -1
		}
		return 1
	})
	return at
}

// due is the part of the queue that has deadlines.
func (q queue) due() queue { return q[:q.before(none-1)] }

// work is the slot time of all that waits in the queue.
func (q queue) work() micros {
	sum := micros(0)
	for _, l := range q {
		sum = plus(sum, l.work)
	}
	return sum
}
