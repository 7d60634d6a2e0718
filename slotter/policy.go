package slotter

import "cmp"

// policy says which of the works in a line gets a slot.
type policy interface {
	// pick returns the line's best claim to a slot whose residual is in this
	// step, false when none of its works has a task left. It is asked again
	// after each task that was given away; within a round works only run dry
	// and jobs only get on track.
	pick(l *line, step int, now int64) (pick, bool)
}

// pick is a line's claim to a slot. The smaller one of two claims wins: by
// rank, then key, then submission.
type pick struct {
	work *work
	rule string // why, for people
	rank int
	key  int64
	fits bool // the slot is large enough for it now
}

func (p pick) before(q pick) bool {
	return cmp.Or(
		cmp.Compare(p.rank, q.rank),
		cmp.Compare(p.key, q.key),
		submittedFirst(p.work.job, q.work.job),
		cmp.Compare(p.work.stage, q.work.stage),
	) < 0
}

var policies = map[string]policy{"fifo": fifo{}, "edf": edf{}, "mp": mp{}}
