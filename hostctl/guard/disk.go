package guard

import "time"

const (
	// diskStalled is the share of time in which processes other than batch work may
	// stall for a disk before batch work's rate is bounded.
	diskStalled = 0.2
	diskRungs   = 6 // halvings
	diskMost    = 512 << 20
	diskLeast   = 1 << 20 // bytes/s that batch work keeps: a task that cannot read cannot end
)

// disk halves batch work's disk rate while other processes stall for disks. The idle
// I/O class protects them first, where the I/O scheduler has one.
type disk struct {
	excess
	ladder
	on   bool
	from float64 // bytes/s when the contention began
}

func newDisk(on bool) disk {
	return disk{on: on, excess: excess{evidence: 0.1}, ladder: ladder{last: diskRungs}}
}

func (k *disk) step(now time.Time, d growth, s *Sample) {
	if !k.on {
		return
	}
	if k.rung == 0 {
		k.from = min(max(s.DiskRate, 2*diskLeast), diskMost)
	}
	k.ladder.step(now, k.add(d.disks, diskStalled*d.time))
}

// rate is the bound in bytes/s, 0 for none.
func (k *disk) rate() int64 {
	if k.rung == 0 {
		return 0
	}
	return max(int64(k.from)>>k.rung, diskLeast)
}
