package speeds

import (
	"slices"
	"sync"
	"time"

	"lull/hostctl/pacing"
	"lull/hostctl/reads"
	"lull/hostctl/shim"
	"lull/hostctl/slots"
	"lull/subjects"
)

// Measured is the attempt whose progress a meter measures.
type Measured struct {
	Root     string // prefix of /proc
	Slot     *slots.Slot
	Attempt  uint64
	Progress string // file to which the task may report
}

// Meter measures one attempt. Its methods are safe for concurrent use.
type Meter struct {
	of Measured
	mu struct {
		sync.Mutex
		reads reads.Series
		read  pacing.Reading // bytes that the processes had read at the last call of Measure
		last  pacing.Reading // progress at the last call of Rate

		stopped stoppedTask
	}
}

// New returns a meter that has measured nothing.
func New(m Measured) *Meter { return &Meter{of: m} }

// Progress returns the file to which the task may report.
func (m *Meter) Progress() string { return m.of.Progress }

// Begin notes when the attempt's process starts.
func (m *Meter) Begin(now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.mu.reads.Begin(now)
}

// Stopped returns the process for which the task stands still although lull lets it run, 0 for none.
func (m *Meter) Stopped() uint32 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.mu.stopped.process()
}

// look finds out whether the task was stopped, among its processes as the slot's cgroup lists them.
func (m *Meter) look(pids []int, shim int) {
	if len(pids) == 0 {
		pids = below(m.of.Root, shim) // no cgroups
	}
	held := m.of.Slot.Holds.Any()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.mu.stopped.look(m.of.Root, pids, held)
}

// Measure reads the counters of the slot's processes, without the shim's. The shim may be in the same
// cgroup, but the bytes that it reads to feed them to the task are not the task's own reads.
func (m *Meter) Measure() {
	s := m.of.Slot
	client := s.Client()
	if client == nil {
		return
	}
	pids, err := s.Group.Members()
	if err != nil {
		return
	}
	m.look(slices.DeleteFunc(slices.Clone(pids), func(pid int) bool { return pid == client.PID() }), client.PID())
	total, ok := reads.Total(m.of.Root, pids, client.Hello().PID)
	if !ok {
		return // no process is left, or the host has no cgroups
	}
	now, frozen := time.Now(), s.Holds.Any()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.mu.read = pacing.Reading{At: now, Total: float64(total), From: pacing.ByReads}
	if frozen {
		m.mu.reads.Rest(now, total)
		return
	}
	m.mu.reads.Add(now, total)
}

// Sustained returns the attempt's reading rate in bytes/s: the 90th percentile of the measured seconds, or
// 0 if none was measured.
func (m *Meter) Sustained() float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.mu.reads.Percentile90()
}

// Complete writes into the report of an attempt's end how many bytes it read. That is at least given, the
// size of its split, because a task may open its split by itself. Complete also writes the measured rate, or
// the mean rate if the attempt was too short for a measurement.
func (m *Meter) Complete(to *subjects.Run, given int64) {
	to.In = max(to.In, given)
	to.Read = m.Sustained()
	if to.Read == 0 && to.Seconds > 0 {
		to.Read = float64(to.In) / to.Seconds
	}
}

// Rate returns the attempt's progress per second since the last call, in the unit in which the attempt is
// paced. ok is false if the rate is unknown, for example at the first call.
func (m *Meter) Rate(now time.Time) (rate float64, ok bool) {
	next := m.progress(now)
	m.mu.Lock()
	defer m.mu.Unlock()
	last := m.mu.last
	m.mu.last = next
	elapsed := next.At.Sub(last.At).Seconds()
	if next.From == pacing.Unknown || next.From != last.From || elapsed <= 0 || next.Total < last.Total {
		return 0, false
	}
	return (next.Total - last.Total) / elapsed, true
}

// progress returns how far the attempt has come, by the best source there is: the task's own report, else
// the bytes that the shim fed to it, else what Measure found last.
func (m *Meter) progress(now time.Time) pacing.Reading {
	if n, ok := pacing.Reported(m.of.Progress); ok {
		return pacing.Reading{At: now, Total: n, From: pacing.ByTask}
	}
	if n, ok := shim.Taken(m.of.Slot.Dir(), m.of.Attempt); ok {
		return pacing.Reading{At: now, Total: float64(n), From: pacing.ByFeed}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.mu.read
}
