package pacing

import (
	"math"
	"time"

	"lull/hostctl/pace"
	"lull/hostctl/reads"
	"lull/hostctl/shim"
	"lull/hostctl/slots"
)

// Meter measures a task's throughput: what it takes of its input, in bytes/s, or
// what it reports itself (Park and Humphrey, section 4.1, sense at the input).
type Meter struct {
	root    string // of /proc
	dir     string // of the slot, where the shim counts what it feeds
	attempt uint64
	report  string // file in which the task may report; "" for none
	// others lists the processes of the task's group, and the one among them
	// that is its shim.
	others func() (pids []int, shim int)

	last Reading
}

// Reading is how far a task has come. Readings of different origins do not
// compare.
type Reading struct {
	At    time.Time
	Total float64 // bytes, or what the task counts
	From  Origin
}

// Origin is what tells how far a task has come, the best one last: rchar counts
// all that its processes read and pass on to each other, the shim counts exactly
// what it fed, and the task knows what it has done.
type Origin uint8

// Origins of a reading.
const (
	Unknown Origin = iota
	ByReads
	ByFeed
	ByTask
)

// Read is how far the task is now.
func (m *Meter) Read(now time.Time) Reading {
	if n, ok := Reported(m.report); ok {
		return Reading{now, n, ByTask}
	}
	if n, ok := shim.Taken(m.dir, m.attempt); ok {
		return Reading{now, float64(n), ByFeed}
	}
	if pids, except := m.others(); len(pids) > 0 {
		if n, ok := reads.Total(m.root, pids, except); ok {
			return Reading{now, float64(n), ByReads}
		}
	}
	return Reading{At: now}
}

// Rate is the throughput since the last call, in units of its origin a second;
// NaN if that says nothing: there was no call, or one too long ago to be of one
// sample, another origin has come in between, or a process has gone and taken its
// count along.
func (m *Meter) Rate(now time.Time) float64 {
	before, next := m.last, m.Read(now)
	m.last = next
	elapsed := now.Sub(before.At)
	switch {
	case next.From == Unknown || next.From != before.From, next.Total < before.Total:
		return math.NaN()
	case elapsed < pace.Sample/2 || elapsed > 2*pace.Sample:
		return math.NaN()
	}
	return (next.Total - before.Total) / elapsed.Seconds()
}

// MeterOf measures the task that runs in a slot.
func MeterOf(s *slots.Slot, root string, attempt uint64, report string) Meter {
	return Meter{root: root, dir: s.Dir(), attempt: attempt, report: report, others: func() ([]int, int) {
		c := s.Client()
		if c == nil {
			return nil, 0
		}
		pids, _ := s.Group.Pids()
		return pids, c.PID()
	}}
}
