package guard

import "time"

// When the primary has every core, and when it has left as much as would be left at
// the second share in the second time, as shares of all cores. Beside a server whose load jumps
// from 10 to 95 % of two cores the queue that begins to grow has not grown far by then.
// What batch work beside one at 85 % gets with these values and with others is in
// docs/interference.md.
const (
	fullShare, fullFor = 0.97, 100 * time.Millisecond
	roomShare, roomFor = 0.92, 100 * time.Millisecond
)

// full tells batch work to yield while the primary has every core. There is
// nothing to harvest then, and yet batch work costs: it keeps the kernel from
// looking for threads that wait elsewhere, it runs now and then, since the idle
// class has a weight too, and a queue without idle time to drain in keeps what it
// was delayed by.
type full struct {
	cores  float64 // 0: batch work does not yield
	yields bool
	ran    float64 // CPU seconds of the primary in the time that is looked at
	time   float64 // seconds
}

func (f *full) step(d growth, tasks int) {
	if f.cores == 0 || tasks == 0 || d.time == 0 {
		f.yield(false)
		return
	}
	busy := d.ran >= fullShare*f.cores*d.time
	f.ran, f.time = f.ran+d.ran, f.time+d.time
	left := f.cores*f.time - f.ran
	switch {
	case f.yields && left >= (1-roomShare)*f.cores*roomFor.Seconds():
		f.yield(false)
	case f.yields && f.time >= roomFor.Seconds():
		f.yield(true)
	case !f.yields && !busy:
		f.yield(false)
	case !f.yields && f.time >= fullFor.Seconds():
		f.yield(true)
	}
}

// yield decides, and begins to look anew.
func (f *full) yield(yields bool) { f.yields, f.ran, f.time = yields, 0, 0 }
