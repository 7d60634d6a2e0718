package monitor

import (
	"sync"

	"lull/monitor/waits"
)

// Totals are counters of what batch work gave and took since the monitor began.
type Totals struct {
	Harvested float64 // CPU seconds that batch work used
	// Primary is the CPU seconds that the primary used: by the sensor's count
	// where there is one, because Delay is of the same threads.
	Primary float64
	Delay   float64 // seconds that it waited for a CPU because batch work ran
	Sensor  string  // that measured Delay, "" if none did
	Budget  float64 // of Delay per CPU second, by the guard's last word
}

// totals are written by the sources, and may be read from any goroutine.
type totals struct {
	mu struct {
		sync.Mutex
		Totals
	}
}

// used adds what was used between two readings of the host's CPU.
func (t *totals) used(primary, batch float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.mu.Harvested += batch
	if t.mu.Sensor == "" {
		t.mu.Primary += primary
	}
}

func (t *totals) felt(r waits.Reading) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.mu.Primary, t.mu.Delay, t.mu.Sensor = r.Ran, r.Delayed, r.Name
}

func (t *totals) budget(b float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.mu.Budget = b
}

// Totals returns the counters as of the last readings.
func (m *Monitor) Totals() Totals {
	m.totals.mu.Lock()
	defer m.totals.mu.Unlock()
	return m.totals.mu.Totals
}
