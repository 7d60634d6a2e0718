package steal

import "time"

// Clock stands still while the machine is taken away: what has a tenth of the CPU stolen
// for ten seconds has had nine. It tells nothing of work that waits for something else
// than CPU.
type Clock struct {
	began time.Time
	first Ticks
	err   error
}

// NewClock begins at 0.
func NewClock() *Clock {
	c := &Clock{began: time.Now()}
	c.first, c.err = Read()
	return c
}

// Now is how long the machine was there.
func (c *Clock) Now() time.Duration {
	return time.Duration((1 - c.Stolen()) * float64(time.Since(c.began)))
}

// Stolen is the share of the time since the clock began in which it was not.
func (c *Clock) Stolen() float64 {
	now, err := Read()
	if c.err != nil || err != nil {
		return 0
	}
	return now.Since(c.first)
}
