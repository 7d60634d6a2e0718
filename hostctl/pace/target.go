package pace

import "math"

const (
	// newReference is the share by which a reference must change to count as a new one.
	newReference = 0.02
	// minApart is the least number of samples between two new references. If the reference
	// changes all the time, the control law follows it, which uses the measured throughput.
	minApart = 5
)

// target is the reference of a task. A new reference sets the cap at once, by the task's
// claim, and the control law corrects it from there. So the time to follow it does not
// depend on the gains, which may be low.
type target struct {
	reference float64 // bytes/s, 0 before the first sample
	since     int     // samples since the last new reference
}

// isNew reports whether a reference is a new one.
func (t *target) isNew(reference float64) bool {
	t.since++
	if t.reference == 0 {
		t.reference = reference
	}
	if math.Abs(reference-t.reference) <= newReference*t.reference || t.since < minApart {
		return false
	}
	t.reference, t.since = reference, 0
	return true
}
