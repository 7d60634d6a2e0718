package guard

import "time"

// When the primary has every core, and when it leaves some of them again, as
// shares of all cores over a time. Beside a server whose load jumps from 10 to 95 %
// of two cores the queue that begins to grow has not grown far by then. Batch work
// beside one at 85 % had 81 % of the idle CPU without this rule and with 200 ms in
// place of the first 100, which came too late for the queue; 73 % with these times;
// and 64 % with 0.96 for 75 ms and 0.90 for 200 ms.
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
	cores  float64 // 0: nobody yields
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
