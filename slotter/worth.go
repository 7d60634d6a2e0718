package slotter

import "lull/subjects/tct"

// What mp+ weighs with. Each is a ratio or a time; none depends on a trace.
const (
	// caution is the least factor by which tasks are taken to need longer than
	// predicted when a deadline is at stake; a model's own ninetieth percentile
	// (subjects.Fitted.Slow) counts where it is more.
	caution = 1.1
	// idleHalf: a job that needs less than this part of an average slot until
	// its deadline can wait for its first one.
	idleHalf = 0.5
	// asGood is how much longer a task may take on a slot that counts as being
	// as good as another one for its job.
	asGood = 1.1
)

// worth is what a slot is worth to the tasks of one curve, at each step of
// residual. It changes with what the pool offers, not with what waits.
type worth struct {
	at      uint64 // changes of the supply that it is of
	curve   *tct.Curve
	average float64 // seconds of a task on an average slot
	// key orders groups for a slot: the time of a task there over that on an
	// average slot, in thousandths. The lowest key is the greatest comparative
	// advantage: per second of this slot, that group's tasks save the most of
	// other slots' time.
	key [tct.Steps + 1]int64
	// reach is the lowest step that is as good.
	reach [tct.Steps + 1]uint8
}

// weigh computes a curve's worth over the pool's slots. The average is that of
// rates, n / Σ 1/TCT(R_i): what n slots complete together. The paper's average
// of times (equation 4) is dominated by the few slots that are nearly useless.
func (v *worth) weigh(c *tct.Curve, s *supply) {
	if v.curve == c && v.at == s.changes+1 {
		return
	}
	v.curve, v.at = c, s.changes+1
	slots, rate := 0, 0.0
	for step, n := range s.slots {
		slots += n
		rate += float64(n) / c.At(step)
	}
	v.average = c.Seconds(1)
	if slots > 0 && rate > 0 {
		v.average = float64(slots) / rate
	}
	low := 0
	for step := range v.key {
		seconds := c.At(step)
		v.key[step] = int64(seconds/v.average*1000 + 0.5)
		for c.At(low) > asGood*seconds {
			low++
		}
		v.reach[step] = uint8(low)
	}
}

// gain is the seconds by which a task ends earlier than on an average slot.
func (v *worth) gain(step int) float64 { return v.average - v.curve.At(step) }

// strain is what one task more on the host costs those that run there: for each
// second that it runs, so many seconds of theirs. What the round has planned
// there counts as conserved work.
func (h *host) strain() float64 {
	now, then := h.residual(0), h.residual(1)
	from, to := tct.Step(now), tct.Step(then)
	if from == to {
		return 0
	}
	sum := 0.0
	for i := range h.attempts {
		c := h.attempts[i].curve
		sum += 1 - c.At(from)/c.At(to)
	}
	planned := min(h.busy, h.slots) - len(h.attempts)
	return sum + float64(max(planned, 0))*(1-then/now)
}

// net is the expected residual of the host's next slot, less what a task there costs
// the others: an idle slot on another host that is as good to the pool.
func (h *host) net() float64 { return h.ahead(1) / (1 + h.strain()) }
