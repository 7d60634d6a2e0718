package sim

import (
	"math"

	"lull/hostctl/actor"
	"lull/slotter/capacity"
)

// tell has a run read no faster than a rate from now on, as the controller of a
// real host does after some seconds.
func (h *host) tell(p actor.Pace) {
	r := h.run(p.Attempt)
	if r == nil || r.told <= p.Rate && r.told >= p.Rate {
		return
	}
	h.settle()
	r.told = p.Rate
	h.change()
}

// allot says what each run gets of the cores that the primary leaves: all of them
// the same for each core they want, but those that are told a rate no more than
// that takes. What they leave, the others get.
func (h *host) allot() {
	residual, told := h.residual(), false
	for _, r := range h.runs {
		r.part = residual
		told = told || r.running && r.told > 0
	}
	if !told || residual <= 0 {
		return
	}
	var claims []capacity.Claim
	for _, r := range h.runs {
		if width := float64(r.Width); r.running {
			claims = append(claims, capacity.Claim{Weight: width, Most: width * r.enough()})
		}
	}
	parts := capacity.Divide(max(float64(h.Cores)-h.primary.cores, 0), claims)
	for _, r := range h.runs {
		if r.running {
			r.part, parts = parts[0]/float64(r.Width), parts[1:]
		}
	}
}

// enough is the residual at which the run reads what it is told to; 1 if it is told
// nothing, or more than it can.
func (r *run) enough() float64 {
	bytes := float64(r.bytes)
	if r.told <= 0 || bytes <= 0 {
		return 1
	}
	return min(r.truth.residual(bytes/r.told/r.scale), 1)
}

// residual is the inverse of seconds, where the time falls with the residual.
func (c *curve) residual(seconds float64) float64 {
	i := 0
	for i < len(c.Points) && c.Points[i].Seconds > seconds {
		i++
	}
	switch {
	case i == 0:
		return c.Points[0].Residual * c.Points[0].Seconds / seconds
	case i == len(c.Points):
		last := c.Points[i-1]
		return last.Residual * last.Seconds / seconds
	}
	a, b := c.Points[i-1].Residual, c.Points[i].Residual
	share := (c.logs[i-1] - math.Log(seconds)) / (c.logs[i-1] - c.logs[i])
	return a + float64(share*(b-a))
}
