package supply

import "lull/subjects/tct"

// asGood is how much longer a task may take on a slot that counts as being as good as
// another one for its job.
const asGood = 1.1

// Worth is what a slot is worth to the tasks of one curve, at each step of
// residual. It changes with what the pool offers, not with what waits.
type Worth struct {
	at      uint64 // changes of the supply that it is of
	curve   *tct.Curve
	Average float64 // seconds of a task on an average slot
	// Key orders groups for a slot: the time of a task there over that on an
	// average slot, in thousandths. The lowest key is the greatest comparative
	// advantage: per second of this slot, that group's tasks save the most of
	// other slots' time.
	Key [tct.Steps + 1]int64
	// Reach is the lowest step that is as good.
	Reach [tct.Steps + 1]uint8
}

// Weigh computes a curve's worth over the pool's slots. The average is that of
// rates, n / Σ 1/TCT(R_i): what n slots complete together. The paper's average
// of times (equation 4) is dominated by the few slots that are nearly useless.
func (v *Worth) Weigh(c *tct.Curve, s *Supply) {
	if v.curve == c && v.at == s.changes+1 {
		return
	}
	v.curve, v.at = c, s.changes+1
	slots, rate := 0, 0.0
	for step, n := range s.slots {
		slots += n
		rate += float64(n) / c.At(step)
	}
	v.Average = c.Seconds(1)
	if slots > 0 && rate > 0 {
		v.Average = float64(slots) / rate
	}
	low := 0
	for step := range v.Key {
		seconds := c.At(step)
		v.Key[step] = int64(seconds/v.Average*1000 + 0.5)
		for c.At(low) > asGood*seconds {
			low++
		}
		v.Reach[step] = uint8(low)
	}
}

// Gain is the seconds by which a task ends earlier than on an average slot.
func (v *Worth) Gain(step int) float64 { return v.Average - v.curve.At(step) }
