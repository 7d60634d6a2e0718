package monitor

import (
	"sync"

	"lull/monitor/waits"
)

// Totals say what batch work gave and took since the monitor began.
type Totals struct {
	Harvested float64 // CPU seconds that batch work used
	// Primary is the CPU seconds that the primary used: by the sensor's count
	// where there is one, because Delay is of the same threads.
	Primary float64
	Delay   float64 // seconds that it waited for a CPU because batch work ran
	Sensor  string  // that measured Delay, "" if none did
	Budget  float64 // of Delay per CPU second, as the guard reported it last
}

// Counters count the totals of a monitor. To read them elsewhere, make them before the monitor and
// pass them in its Config. They are safe for concurrent use; their zero value is ready.
type Counters struct {
	mu struct {
		sync.Mutex
		Totals
	}
}

// Totals returns what was counted up to the last readings.
func (c *Counters) Totals() Totals {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.mu.Totals
}

// used adds what was used between two readings of the host's CPU.
func (c *Counters) used(primary, batch float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mu.Harvested += batch
	if c.mu.Sensor == "" {
		c.mu.Primary += primary
	}
}

// setWaits sets what the sensor has counted since it was opened.
func (c *Counters) setWaits(r waits.Reading) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mu.Primary, c.mu.Delay, c.mu.Sensor = r.Ran, r.Delayed, r.Name
}

func (c *Counters) budget(b float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mu.Budget = b
}
