package pace

const (
	// short is how far throughput is below the reference, as its share, for
	// the reference to be missed.
	short = 0.05
	// patience is how many samples it is missed at the limit before that is
	// said: five seconds.
	patience = 25
)

// Controller is the control law of one task (equation 2) in velocity form. The
// zero Controller with Gains and Most is ready.
type Controller struct {
	Gains Gains
	// Most is the largest cap, in cores: the task's slots, or less if a mediator
	// says so.
	Most float64

	begun  bool
	last   float64 // E(k−1)
	missed int     // how long the reference has been missed at the limit
}

// Step returns the next cap, in cores, for the throughput that was measured and
// the one that is wanted, in bytes/s. inForce is the cap that was really applied
// since the last step. The law moves the cap from there and not from what it
// asked for: what a guard or the limit took away is not asked for again, more of
// it each time, so there is nothing to wind up.
func (c *Controller) Step(measured, reference, inForce float64) float64 {
	e := reference - measured
	if !c.begun {
		c.begun, c.last = true, e // no proportional kick out of nothing
	}
	next := inForce + (c.Gains.Kp+c.Gains.Ki)*e - c.Gains.Kp*c.last
	c.last = e
	c.note(e > short*reference, next >= c.Most || inForce >= c.Most)
	return min(max(next, Least), max(c.Most, Least))
}

// note counts the samples at the limit. One that is better takes back two, so
// that noise around the reference neither raises the alarm nor hides it.
func (c *Controller) note(misses, limited bool) {
	if misses && limited {
		c.missed = min(c.missed+1, 2*patience)
		return
	}
	c.missed = max(c.missed-2, 0)
}

// Misses reports whether the reference was missed of late at the limit.
func (c *Controller) Misses() bool { return c.missed > 0 }

// Unreachable reports whether the reference is missed although the task has had
// all the CPU that it may have for a while.
func (c *Controller) Unreachable() bool { return c.missed >= patience }

// Rest says that no sample came, or that it tells nothing: the next one begins
// as the first did.
func (c *Controller) Rest() { c.begun = false }
