package guard

import "time"

// Batch work yields when the primary used fullShare of all cores for fullFor. It stops
// yielding when the primary left as much CPU as it leaves in roomFor at a use of
// roomShare. When a server's load jumps from 10 to 95 % of two cores, its queue is still
// short after these times. docs/interference.md has the harvest beside a server at 85 %
// load with these values and with others.
const (
	fullShare, fullFor = 0.97, 100 * time.Millisecond
	roomShare, roomFor = 0.92, 100 * time.Millisecond
)

// saturation makes batch work yield while the primary uses every core. There is nothing to harvest then,
// but batch work still delays the primary. A core that runs batch work is not idle, so the kernel
// does not look for threads that wait on other cores. The idle class has a weight too, so batch
// work runs now and then. And a queue that never becomes idle does not make up for those delays.
type saturation struct {
	cores  float64 // 0: batch work does not yield
	yields bool
	ran    float64 // CPU seconds of the primary in the present window
	time   float64 // seconds of the present window
}

func (f *saturation) step(d growth, tasks int) {
	if f.cores == 0 || tasks == 0 || d.time == 0 {
		f.decide(false)
		return
	}
	busy := d.ran >= fullShare*f.cores*d.time
	f.ran, f.time = f.ran+d.ran, f.time+d.time
	left := f.cores*f.time - f.ran
	switch {
	case f.yields && left >= (1-roomShare)*f.cores*roomFor.Seconds():
		f.decide(false)
	case f.yields && f.time >= roomFor.Seconds():
		f.decide(true)
	case !f.yields && !busy:
		f.decide(false)
	case !f.yields && f.time >= fullFor.Seconds():
		f.decide(true)
	}
}

// decide sets whether batch work yields, and begins a new window.
func (f *saturation) decide(yields bool) { f.yields, f.ran, f.time = yields, 0, 0 }
