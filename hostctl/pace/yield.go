package pace

// yield is what a task makes of a core, seen over some seconds. A model is learnt
// from a cap that moves; of tasks that are all held at their limits none does, and
// then what a cap gives is not in proportion to it: with 0.32 of a core a grep read
// 65 MB/s a core, with 0.64 beside it 57, probably because a quota overruns by the
// same part of a millisecond each period. Tasks that are cut by cores alone are then not cut alike.
type yield struct {
	rate, cap float64 // means: bytes/s, cores
	n         float64
}

const (
	// yieldSamples is how many samples it takes until the mean counts for more than
	// the model, two seconds, and yieldMemory how many it covers then.
	yieldSamples = 10
	yieldMemory  = 25
)

// see notes what was read under a cap. A task that reads nothing does something
// else: that says nothing of its reading.
func (y *yield) see(rate, cap float64) {
	if rate <= 0 || cap <= 0 {
		return
	}
	y.n++
	weight := 1 / min(y.n, yieldMemory)
	y.rate += weight * (rate - y.rate)
	y.cap += weight * (cap - y.cap)
}

// core is what the task reads a core, in bytes/s, within the margin of a model;
// false before it was seen for long enough.
func (y *yield) core(m Model) (float64, bool) {
	if y.n < yieldSamples {
		return 0, false
	}
	one := m.Steady(1)
	return min(max(y.rate/y.cap, one/Robust.B), one*Robust.B), true
}
