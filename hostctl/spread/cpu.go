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

// most is how many waiting threads of a CPU are seen.
const most = 8

// Waiter is a thread of the primary that waits for a CPU.
type Waiter struct {
	Thread int
	Waits  time.Duration // until now
}

// CPU is what one CPU does at a moment.
type CPU struct {
	Runs    Runs
	Waiting int          // how many of Waiters are filled
	Waiters [most]Waiter // threads of the primary, in no order
}

// Add notes a thread that waits. One too many is not seen.
func (c *CPU) Add(w Waiter) {
	if c.Waiting < most {
		c.Waiters[c.Waiting] = w
		c.Waiting++
	}
}

// Watch sees the host's CPUs.
type Watch interface {
	// Look appends what each CPU does, by its number.
	Look(to []CPU) ([]CPU, error)
	// Every is how often looking pays: it costs, too.
	Every() time.Duration
	// Name says for people how it sees.
	Name() string
}

// Move sends a thread to a CPU.
type Move struct{ Thread, To int }
