package steal

import "time"

// Clock stands still while the hypervisor takes the CPU: if a tenth is stolen for ten seconds, nine
// seconds pass. It is of no use for work that waits for something else than CPU.
type Clock struct {
	read  func() (Ticks, error)
	now   func() time.Time
	began time.Time
	first Ticks
	taken float64 // share stolen, as read last
}

// NewClock begins at 0.
func NewClock() (*Clock, error) { return newClock(Read, time.Now) }

func newClock(read func() (Ticks, error), now func() time.Time) (*Clock, error) {
	first, err := read()
	return &Clock{read: read, now: now, began: now(), first: first}, err
}

// Now returns the time since the clock began, less the stolen share.
func (c *Clock) Now() time.Duration {
	return time.Duration((1 - c.Stolen()) * float64(c.now().Sub(c.began)))
}

// Stolen returns the share of the CPU that was stolen since the clock began.
func (c *Clock) Stolen() float64 {
	if now, err := c.read(); err == nil {
		c.taken = now.Since(c.first)
	}
	return c.taken
}
