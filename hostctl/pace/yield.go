package pace

// yield is the throughput per core of a task, averaged over some seconds. The model cannot replace
// it: a model follows a cap that changes, and the caps of tasks that are all at their limits do not
// change. Throughput is not in proportion to such caps. A grep with 0.32 of a core read 65 MB/s per
// core, another with 0.64 beside it 57. Probably a quota overruns by the same part of a millisecond
// in each period. So equal shares of the claimed cores would not be equal shares of the rates.
type yield struct {
	rate, cap float64 // means: bytes/s, cores
	n         float64
}

const (
	// yieldSamples is how many samples it takes until the mean is used instead of the
	// model: two seconds. yieldMemory is how many samples the mean covers at most.
	yieldSamples = 10
	yieldMemory  = 25
)

// add adds a throughput and the cap under which it was measured. Samples in which the task
// read nothing are skipped: it did something else.
func (y *yield) add(rate, cores float64) {
	if rate <= 0 || cores <= 0 {
		return
	}
	y.n++
	weight := 1 / min(y.n, yieldMemory)
	y.rate += weight * (rate - y.rate)
	y.cap += weight * (cores - y.cap)
}

// core is the throughput per core, in bytes/s, limited to the margin of a model; false
// before there are enough samples.
func (y *yield) core(m Model) (float64, bool) {
	if y.n < yieldSamples {
		return 0, false
	}
	one := m.Steady(1)
	return min(max(y.rate/y.cap, one/Robust.B), one*Robust.B), true
}
