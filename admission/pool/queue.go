package pool

import (
	"cmp"
	"iter"
	"slices"

	"lull/admission/span"
	"lull/subjects/sorted"
)

// MaxPlayed is the longest queue that is played. Behind a longer one, all work is
// poured over the slots: see package level.
const MaxPlayed = 256

// queue has the jobs in the order in which deadlines are served, earliest first, and the sums of
// its blocks. So with a million jobs waiting, a verdict looks at some thousands of stretches
// instead of at every job.
type queue struct {
	sorted.List[*Load, stretch]
}

// stretch is the sum of a block of the queue.
type stretch struct {
	Work span.Micros
	// These bound its jobs: path on the time of one on a single slot, until on the end of its
	// running tasks, contention on what other jobs may add.
	Path, Until, Contention span.Micros
}

// NewQueue returns an empty queue.
func NewQueue() queue { return queue{sorted.New[*Load, stretch](Earlier)} }

// Earlier compares loads by deadline and submission.
func Earlier(x, y *Load) int {
	return cmp.Or(cmp.Compare(x.Deadline, y.Deadline), cmp.Compare(x.Seq, y.Seq))
}

// Block is a part of the queue, whose sums are kept.
type Block = sorted.Block[*Load, stretch]

// Sum computes a block's stretch.
func Sum(b *Block) *stretch {
	if b.Fresh {
		return &b.Sum
	}
	s := stretch{}
	for _, l := range b.Items {
		s.Work = span.Plus(s.Work, l.Work)
		s.Path = max(s.Path, min(l.Path, span.Horizon/span.Micros(max(l.PathSlots, 1)))*span.Micros(max(l.PathSlots, 1)))
		s.Until, s.Contention = max(s.Until, l.Until), max(s.Contention, l.Contention)
	}
	b.Sum, b.Fresh = s, true
	return &b.Sum
}

// BeforeDeadline is how many jobs come before a new one of a deadline: those of the
// same deadline were there first.
func (q *queue) BeforeDeadline(deadline int64) int {
	return q.Before(func(l *Load) bool { return l.Deadline > deadline })
}

// Due is the number of jobs with deadlines, which come first.
func (q *queue) Due() int { return q.BeforeDeadline(None - 1) }

// Work is the slot time of the first n jobs.
func (q *queue) Work(n int) span.Micros {
	all := span.Micros(0)
	for _, b := range q.Blocks() {
		if n < len(b.Items) {
			for _, l := range b.Items[:n] {
				all = span.Plus(all, l.Work)
			}
			break
		}
		all = span.Plus(all, Sum(b).Work)
		n -= len(b.Items)
	}
	return all
}

// first are the first n jobs, or all.
func (q *queue) first(n int) []*Load {
	list := make([]*Load, 0, min(n, q.Len()))
	for _, b := range q.Blocks() {
		if list = append(list, b.Items[:min(len(b.Items), n-len(list))]...); len(list) == n {
			break
		}
	}
	return list
}

// Few is the whole queue if it is short enough to be played, else one job more than can
// be played.
func (q *queue) Few() []*Load { return q.first(MaxPlayed + 1) }

// After yields the jobs after last with their blocks, and starts over at the first one,
// without end. It starts at the first one if last is nil.
func (q *queue) After(last *Load) iter.Seq2[*Block, *Load] {
	return func(yield func(*Block, *Load) bool) {
		blocks, b, i := q.Blocks(), 0, 0
		if last != nil {
			b, _ = slices.BinarySearchFunc(blocks, last, func(b *Block, l *Load) int {
				if Earlier(b.Items[len(b.Items)-1], l) <= 0 {
					return -1
				}
				return 1
			})
		}
		if b == len(blocks) {
			b, last = 0, nil
		}
		if last != nil {
			at, found := slices.BinarySearchFunc(blocks[b].Items, last, Earlier)
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

// Remain yields the blocks from the n-th job on, each with its jobs from there on.
func (q *queue) Remain(n int) iter.Seq2[*Block, []*Load] {
	return func(yield func(*Block, []*Load) bool) {
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
