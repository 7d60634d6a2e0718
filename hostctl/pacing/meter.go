package pacing

import (
	"math"
	"time"

	"lull/hostctl/pace"
	"lull/hostctl/reads"
	"lull/hostctl/shim"
	"lull/hostctl/slots"
)

// Meter measures a task's throughput: the input that it reads, in bytes/s, or the progress
// that it reports itself. (Park and Humphrey, section 4.1, measure at the input.)
type Meter struct {
	root    string // of /proc
	dir     string // of the slot, in which the shim counts the bytes that it feeds to the task
	attempt uint64
	report  string // file in which the task may report; "" for none
	// others lists the processes of the task's group, and which of them is its shim.
	others func() (pids []int, shim int)

	last Reading
}

// Reading is the progress of a task. Readings of different origins cannot be compared.
type Reading struct {
	At    time.Time
	Total float64 // bytes, or what the task counts
	From  Origin
}

// Origin is the source of a reading, the best one last. The kernel's rchar counts also the
// bytes that the task's processes pass to each other. The shim counts exactly the bytes
// that it fed. The task itself knows its progress.
type Origin uint8

// Origins of a reading.
const (
	Unknown Origin = iota
	ByReads
	ByFeed
	ByTask
)

// Read is the present progress of the task.
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

// Rate returns the throughput since the last call, in units of its origin per second. It is NaN if
// it is unknown: there was no call, the last call was not one sample ago, the origin changed, or
// the total fell because a process ended.
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

// MeterOf returns the meter of the task that runs in a slot.
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
