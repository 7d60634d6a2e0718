package hostctl

import (
	"math"
	"time"

	"lull/hostctl/pace"
	"lull/hostctl/reads"
	"lull/hostctl/shim"
	"lull/hostctl/slots"
)

// meter measures a task's throughput: what it takes of its input, in bytes/s, or
// what it reports itself (Park and Humphrey, section 4.1, sense at the input).
type meter struct {
	root    string // of /proc
	dir     string // of the slot, where the shim counts what it feeds
	attempt uint64
	report  string // file in which the task may report; "" for none
	// others lists the processes of the task's group, and the one among them
	// that is its shim.
	others func() (pids []int, shim int)

	last reading
}

// reading is how far a task has come. Readings of different sources do not
// compare.
type reading struct {
	at    time.Time
	total float64
	from  source
}

// source is who tells how far a task has come, the best one last: rchar counts
// all that its processes read and pass on to each other, the shim counts exactly
// what it fed, and the task knows what it has done.
type source uint8

const (
	nobody source = iota
	byReads
	byFeed
	byTask
)

func (m *meter) read(now time.Time) reading {
	if n, ok := reported(m.report); ok {
		return reading{now, n, byTask}
	}
	if n, ok := shim.Taken(m.dir, m.attempt); ok {
		return reading{now, float64(n), byFeed}
	}
	if pids, except := m.others(); len(pids) > 0 {
		if n, ok := reads.Total(m.root, pids, except); ok {
			return reading{now, float64(n), byReads}
		}
	}
	return reading{at: now}
}

// rate is the throughput since the last call, in units of the source a second;
// NaN if that says nothing: there was no call, or one too long ago to be of one
// sample, another source has come in between, or a process has gone and taken its
// count along.
func (m *meter) rate(now time.Time) float64 {
	before, next := m.last, m.read(now)
	m.last = next
	elapsed := now.Sub(before.at)
	switch {
	case next.from == nobody || next.from != before.from, next.total < before.total:
		return math.NaN()
	case elapsed < pace.Sample/2 || elapsed > 2*pace.Sample:
		return math.NaN()
	}
	return (next.total - before.total) / elapsed.Seconds()
}

// meterOf measures the task that runs in a slot.
func meterOf(s *slots.Slot, root string, attempt uint64, report string) meter {
	return meter{root: root, dir: s.Dir(), attempt: attempt, report: report, others: func() ([]int, int) {
		c := s.Client()
		if c == nil {
			return nil, 0
		}
		pids, _ := s.Group.Pids()
		return pids, c.PID()
	}}
}
