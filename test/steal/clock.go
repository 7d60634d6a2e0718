package steal

import "time"

// Clock stands still while the machine is taken away: a process with a tenth of its CPU stolen for
// ten seconds has had nine. It says nothing of work that waits for something else than CPU.
type Clock struct {
	read  func() (Ticks, error)
	now   func() time.Time
	began time.Time
	first Ticks
	taken float64 // as it was seen last
}

// NewClock begins at 0.
func NewClock() (*Clock, error) { return newClock(Read, time.Now) }

func newClock(read func() (Ticks, error), now func() time.Time) (*Clock, error) {
	first, err := read()
	return &Clock{read: read, now: now, began: now(), first: first}, err
}

// Now is how long the machine was there.
func (c *Clock) Now() time.Duration {
	return time.Duration((1 - c.Stolen()) * float64(c.now().Sub(c.began)))
}

// Stolen is the share of the time since the clock began in which it was not.
func (c *Clock) Stolen() float64 {
	if now, err := c.read(); err == nil {
		c.taken = now.Since(c.first)
	}
	return c.taken
}
