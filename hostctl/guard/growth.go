package guard

import "time"

// growth is what happened between two samples, in seconds.
type growth struct {
	time          float64
	ran, delayed  float64
	memory, disks float64 // stalls of processes other than batch work
}

// growth compares a sample with the last one. It is zero at the first sample, after a
// gap, and for counters that restarted.
func (g *Guard) growth(now time.Time, s *Sample) (d growth) {
	then, last := g.at, g.last
	g.at, g.last = now, *s
	elapsed := now.Sub(then)
	if then.IsZero() || elapsed <= 0 || elapsed > maxGap {
		return growth{}
	}
	d.time = elapsed.Seconds()
	if s.Sensed && last.Sensed && s.Ran >= last.Ran && s.Delayed >= last.Delayed {
		d.ran, d.delayed = s.Ran-last.Ran, s.Delayed-last.Delayed
	}
	d.memory = min(max(s.MemoryStall-last.MemoryStall, 0), d.time)
	d.disks = min(max(s.DiskStall-last.DiskStall, 0), d.time)
	return d
}
