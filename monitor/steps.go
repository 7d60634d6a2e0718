package monitor

import (
	"time"

	"lull/monitor/record"
	"lull/subjects"
)

// steps makes two-minute samples from the counters that the CPU's source read.
type steps struct {
	recorder record.Recorder
	latest   func() *cpuReading // nil in a monitor of other sources
	used     *cpuReading
	start    time.Time
}

// step adds the last reading of the CPU to the recorder, once. While readings hang there is no new
// one, so that time counts as not observed.
func (m *Monitor) step(u *subjects.Usage) {
	if m.steps.latest == nil || m.config.Record == nil {
		return
	}
	r := m.steps.latest()
	if r == nil || r == m.steps.used {
		return
	}
	if m.steps.used == nil {
		m.steps.start = r.at
	}
	m.steps.used = r
	m.steps.recorder.Add(record.Reading{
		At: r.at.Round(0), Up: r.at.Sub(m.steps.start), Primary: r.busy - r.batch, Cores: r.cores, Epoch: r.epoch,
		Used: max(u.Memory-u.MemoryFree-u.MemoryBatch, 0), Memory: u.Memory,
	}, m.config.Record)
}

// endStep hands over the step that is not over yet.
func (m *Monitor) endStep() {
	if m.config.Record != nil {
		m.steps.recorder.Flush(m.config.Record)
	}
}
