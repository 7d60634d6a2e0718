package admission

import (
	"cmp"
	"iter"
	"slices"

	"lull/admission/span"
	"lull/subjects/sorted"
)

// maxCast is the longest queue that is played. Behind a longer one, all work is
// poured over the slots: see package level.
const maxCast = 256

// queue has the jobs in the order in which deadlines are served, earliest first, and the sums of
// its blocks. So with a million jobs waiting, a verdict looks at some thousands of stretches
// instead of at every job.
type queue struct {
	sorted.List[*load, stretch]
}

// stretch is the sum of a block of the queue.
type stretch struct {
	work span.Micros
	// These bound its jobs: path on the time of one on a single slot, until on the end of its
	// running tasks, tail on what other jobs may add.
	path, until, tail span.Micros
}

func newQueue() queue { return queue{sorted.New[*load, stretch](earlier)} }

func earlier(x, y *load) int {
	return cmp.Or(cmp.Compare(x.deadline, y.deadline), cmp.Compare(x.seq, y.seq))
}

type block = sorted.Block[*load, stretch]

// sum computes a block's stretch.
func sum(b *block) *stretch {
	if b.Fresh {
		return &b.Sum
	}
	s := stretch{}
	for _, l := range b.Items {
		s.work = span.Plus(s.work, l.work)
		s.path = max(s.path, min(l.path, span.Horizon/span.Micros(max(l.wide, 1)))*span.Micros(max(l.wide, 1)))
		s.until, s.tail = max(s.until, l.until), max(s.tail, l.tail)
	}
	b.Sum, b.Fresh = s, true
	return &b.Sum
}

// before is how many jobs come before a new one of a deadline: those of the
// same deadline were there first.
func (q *queue) before(deadline int64) int {
	return q.Before(func(l *load) bool { return l.deadline > deadline })
}

// due is the number of jobs with deadlines, which come first.
func (q *queue) due() int { return q.before(none - 1) }

// work is the slot time of the first n jobs.
func (q *queue) work(n int) span.Micros {
	all := span.Micros(0)
	for _, b := range q.Blocks() {
		if n < len(b.Items) {
			for _, l := range b.Items[:n] {
				all = span.Plus(all, l.work)
			}
			break
		}
		all = span.Plus(all, sum(b).work)
		n -= len(b.Items)
	}
	return all
}

// first are the first n jobs, or all.
func (q *queue) first(n int) []*load {
	list := make([]*load, 0, min(n, q.Len()))
	for _, b := range q.Blocks() {
		if list = append(list, b.Items[:min(len(b.Items), n-len(list))]...); len(list) == n {
			break
		}
	}
	return list
}

// few is the whole queue if it is short enough to be played, else one job more than can
// be played.
func (q *queue) few() []*load { return q.first(maxCast + 1) }

// after yields the jobs after last with their blocks, and starts over at the first one,
// without end. It starts at the first one if last is nil.
func (q *queue) after(last *load) iter.Seq2[*block, *load] {
	return func(yield func(*block, *load) bool) {
		blocks, b, i := q.Blocks(), 0, 0
		if last != nil {
			b, _ = slices.BinarySearchFunc(blocks, last, func(b *block, l *load) int {
				if earlier(b.Items[len(b.Items)-1], l) <= 0 {
					return -1
				}
				return 1
			})
		}
		if b == len(blocks) {
			b, last = 0, nil
		}
		if last != nil {
			at, found := slices.BinarySearchFunc(blocks[b].Items, last, earlier)
			if i = at; found {
				i++
			}
		}
		for len(blocks) > 0 {
			for ; i < len(blocks[b].Items); i++ {
				if !yield(blocks[b], blocks[b].Items[i]) {
					return
				}
			}
			b, i = (b+1)%len(blocks), 0
		}
	}
}

// remain yields the blocks from the n-th job on, each with its jobs from there on.
func (q *queue) remain(n int) iter.Seq2[*block, []*load] {
	return func(yield func(*block, []*load) bool) {
		for _, b := range q.Blocks() {
			if n >= len(b.Items) {
				n -= len(b.Items)
				continue
			}
			if !yield(b, b.Items[n:]) {
				return
			}
			n = 0
		}
	}
}
