package pace

import "math"

const (
	// another is by how much of it a reference must change to be gone to at once.
	another = 0.02
	// apart is how many samples pass between two such leaps: a reference that changes all
	// the time is followed by the control law, which looks at the throughput, too.
	apart = 5
)

// target is the reference that a task moves at. A new one is gone to at once, by what the
// task makes of its cap; the law does the rest. So how soon a task follows does not hang on
// the gains, which may be low.
type target struct {
	reference float64 // bytes/s, 0 before the first sample
	since     int     // samples since the last leap
}

// moves reports whether a reference is a new one to leap to.
func (t *target) moves(reference float64) bool {
	t.since++
	if t.reference == 0 {
		t.reference = reference
	}
	if math.Abs(reference-t.reference) <= another*t.reference || t.since < apart {
		return false
	}
	t.reference, t.since = reference, 0
	return true
}
