package pace

import (
	"math"
	"math/rand/v2"
)

// sorter simulates a task that reads in bursts, as an external sort does: it reads a run, works on
// it while it reads nothing, and waits for the disk. Its CPU is a quota in each period of 20 ms.
type sorter struct {
	run        float64 // bytes
	read, work float64 // CPU seconds a run
	disk       float64 // seconds for which a run waits, on average
	rng        *rand.Rand

	at      float64 // CPU seconds into the run
	waiting float64 // seconds still to wait
}

// newSorter is like the one of the benchmarks: runs of 4 MiB at 44 MB/s a core.
func newSorter(rng *rand.Rand, disk float64) *sorter {
	return &sorter{run: 4 << 20, read: 0.03, work: 0.064, disk: disk, rng: rng, at: 0.094 * rng.Float64()}
}

// step runs a sample at a cap and returns what a sensor measures, in bytes/s.
func (s *sorter) step(cores float64) (rate float64) {
	const period = 0.02 // seconds
	for range int(math.Round(Sample.Seconds() / period)) {
		rate += s.period(period, cores*period) / Sample.Seconds()
	}
	return rate
}

// period returns the bytes that it reads in one of the quota's, all times in seconds.
func (s *sorter) period(left, quota float64) (read float64) {
	const tiny = 1e-12
	for left > tiny {
		if s.waiting > tiny {
			wait := min(s.waiting, left)
			s.waiting, left = s.waiting-wait, left-wait
			continue
		}
		end := s.read + s.work
		if s.at < s.read-tiny {
			end = s.read
		}
		slice := min(end-s.at, left, quota)
		if slice <= tiny {
			return read
		}
		if s.at < s.read-tiny {
			read += s.run * slice / s.read
		}
		s.at, left, quota = s.at+slice, left-slice, quota-slice
		if s.at > s.read+s.work-tiny {
			s.at, s.waiting = 0, s.disk*s.rng.ExpFloat64()
		}
	}
	return read
}
