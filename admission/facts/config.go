package facts

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"lull/subjects"
)

// Modes are all values of Config.Mode, the default first: which deadlines a verdict checks. See
// the package's text.
func Modes() []string { return []string{subjects.ModeAffected, subjects.ModeEq7, subjects.ModeAll} }

// Config says how a pool's jobs are admitted. The zero value is ready.
type Config struct {
	// Pool is the pool to read the inbox of. Defaults to subjects.DefaultPool.
	Pool subjects.Pool
	// Vouched says that the server's permissions fix the user in the subjects that
	// a client may publish on. Otherwise that user is a mere claim, and any client
	// may cancel any job. Defaults to false.
	Vouched bool
	// Mode is one of Modes. Defaults to subjects.ModeAffected.
	Mode string
	// Margin is added to every prediction as a share of it, beside what
	// recalibration adds: 0.1 promises a tenth less than what is found
	// possible. Defaults to 0; equation 6 is conservative by itself.
	Margin float64
	// Settle is how long a verdict waits for the first host to join, and for
	// telemetry of a host that just joined. It counts from the submission, the
	// host's joining or admission's own start. Defaults to 10 s.
	Settle time.Duration
	// Stale is the age at which a host's usage is worth nothing: no promise
	// rests on its slots then. Defaults to 30 s.
	Stale time.Duration
	// Steady says to expect of each host its mean of the last week beyond the next hour, also where the day of its
	// tenant is known. It is for comparisons. Defaults to false.
	Steady bool
	// PredictIdle returns the cores that a host is going to leave idle on average between two times, which count
	// from now. A simulation may know that. Defaults to nil: expectations are used.
	PredictIdle func(host string, now time.Time, from, until time.Duration) float64
	// Check is the time between two looks at the promises that stand. Defaults
	// to 5 s.
	Check time.Duration
}

// Fill puts the defaults in place of zero values.
func (c *Config) Fill() {
	if c.Pool == "" {
		c.Pool = subjects.DefaultPool
	}
	if c.Mode == "" {
		c.Mode = subjects.ModeAffected
	}
	if c.Settle == 0 {
		c.Settle = 10 * time.Second
	}
	if c.Stale == 0 {
		c.Stale = 30 * time.Second
	}
	if c.Check == 0 {
		c.Check = 5 * time.Second
	}
}

// Validate reports a value that is out of bounds.
func (c *Config) Validate() error {
	if !slices.Contains(Modes(), c.Mode) {
		return fmt.Errorf("admission: mode %q is unknown: choose one of %v", c.Mode, Modes())
	}
	if !(c.Margin >= 0 && c.Margin <= 10) {
		return fmt.Errorf("admission: margin %v is out of bounds: give a share from 0 to 10", c.Margin)
	}
	if min(c.Settle, c.Stale, c.Check) < 0 {
		return errors.New("admission: Settle, Stale and Check must not be negative")
	}
	return nil
}
