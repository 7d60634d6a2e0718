package spread

import "time"

// Runs is what a CPU runs.
type Runs uint8

// What a CPU may run.
const (
	Nothing Runs = iota // or the kernel's own
	Primary
	Batch
)

// maxWaiters is how many waiting threads of a CPU are seen.
const maxWaiters = 8

// Waiter is a thread of the primary that waits for a CPU.
type Waiter struct {
	Thread int
	Waited time.Duration // until now
}

// CPU is what one CPU does at a moment.
type CPU struct {
	Runs    Runs
	Stint   time.Duration      // how long it has run that
	Waiting int                // how many of Waiters are filled
	Waiters [maxWaiters]Waiter // threads of the primary, in no order
}

// Add notes a thread that waits. One too many is not seen.
func (c *CPU) Add(w Waiter) {
	if c.Waiting < maxWaiters {
		c.Waiters[c.Waiting] = w
		c.Waiting++
	}
}

// Watch sees the host's CPUs.
type Watch interface {
	// Look appends what each CPU does, by its number.
	Look(to []CPU) ([]CPU, error)
	// Bell is a file that can be read when looking may pay, -1 if nothing calls.
	Bell() int
	// SetListener says which thread is called, 0 for none.
	SetListener(thread int)
}

// Move sends a thread to a CPU.
type Move struct{ Thread, To int }

// resolution is the precision of the times that a Watch reports, at worst.
const resolution = 2 * time.Microsecond

// ExcludeSelf corrects the entry of the looking process's own CPU. It shows the thread that had to
// yield to the look, which began to wait when the look began, or else batch work.
func (c *CPU) ExcludeSelf() {
	c.Runs = Batch
	for i, w := range c.Waiters[:c.Waiting] {
		if w.Waited <= c.Stint+resolution {
			c.Runs, c.Waiting = Primary, c.Waiting-1
			c.Waiters[i] = c.Waiters[c.Waiting]
			return
		}
	}
}
