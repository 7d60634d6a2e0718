package pace

const (
	// short is the share by which throughput must be below the reference for the
	// reference to count as missed.
	short = 0.05
	// patience is how many samples the reference is missed at the limit before it counts
	// as unreachable: five seconds.
	patience = 25
)

// Controller is the control law of one task (equation 2) in velocity form. The
// zero Controller with Gains and Most is ready.
type Controller struct {
	Gains Gains
	// Most is the largest cap, in cores: the task's slots, or less by Mediate.
	Most float64

	begun  bool    // there is an E(k−1)
	last   float64 // E(k−1)
	missed int     // samples that missed the reference at the limit; better ones take two back
}

// Step returns the next cap, in cores, for the measured throughput and the reference,
// both in bytes/s. inForce is the cap that was applied since the last step, which the
// guard or the limit may have lowered. The law changes the cap from there and not from
// the cap that it returned last, so that nothing winds up.
func (c *Controller) Step(measured, reference, inForce float64) float64 {
	e := reference - measured
	if !c.begun {
		c.begun, c.last = true, e // no proportional kick without a last error
	}
	next := inForce + (c.Gains.Kp+c.Gains.Ki)*e - c.Gains.Kp*c.last
	c.last = e
	c.countMiss(e > short*reference, next >= c.Most || inForce >= c.Most)
	return min(max(next, Least), max(c.Most, Least))
}

// countMiss counts the samples that miss the reference at the limit. Any other sample
// takes two of them back, so that noise around the reference neither raises an alarm nor
// hides it.
func (c *Controller) countMiss(misses, limited bool) {
	if misses && limited {
		c.missed = min(c.missed+1, 2*patience)
		return
	}
	c.missed = max(c.missed-2, 0)
}

// Misses reports whether the reference was missed recently at the limit.
func (c *Controller) Misses() bool { return c.missed > 0 }

// Unreachable reports whether the reference has been missed for patience samples although
// the task had all the CPU that it may use.
func (c *Controller) Unreachable() bool { return c.missed >= patience }

// Rest reports that a sample is missing or unusable. The next one counts as the first.
func (c *Controller) Rest() { c.begun = false }
