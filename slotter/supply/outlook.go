package supply

import "time"

// usualOver is the time over which a host's usual idle cores are averaged.
const usualOver = float64(10 * time.Minute)

// Outlook is what a host's primary usually leaves idle. A task that starts now gets the present
// idle CPU for a while and then the usual. So mp+ places it by the mean of both, which is right for
// a task that takes as long as a deviation lasts. Only mp+ uses it; running tasks are predicted at
// the present residual.
type Outlook struct {
	Mean float64 `msgpack:"mean"` // cores
	Last float64 `msgpack:"last"` // cores, at the last sample
	At   int64   `msgpack:"at"`   // of the last sample, 0 before the first
}

// Add takes in a sample at a time in Unix nanoseconds. What was idle since the sample
// before counts by how long it lasted. The weight is rational, because an exponential may differ in its
// last bit between architectures.
func (o *Outlook) Add(idle float64, now int64) {
	if o.At == 0 {
		*o = Outlook{idle, idle, now}
		return
	}
	lasted := float64(max(now-o.At, 0))
	o.Mean += (o.Last - o.Mean) * lasted / (lasted + usualOver)
	o.Last, o.At = idle, now
}
