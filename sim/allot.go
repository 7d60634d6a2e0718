package sim

import (
	"math"

	"lull/hostctl/actor"
	"lull/hostctl/pace"
	"lull/slotter/capacity"
	"lull/subjects/spec"
)

// setPace limits the rate at which a run reads from now on, as the controller of a real host does after
// some seconds.
func (h *host) setPace(p actor.Pace) {
	r := h.run(p.Attempt)
	if r == nil || r.target <= p.Rate && r.target >= p.Rate && r.priority <= p.Priority && r.priority >= p.Priority {
		return
	}
	h.settle()
	r.target, r.priority = p.Rate, p.Priority
	h.updateSpeeds()
}

// allot divides the cores that the primary leaves among the runs. The kernel gives all of them the
// same for each core they take, but runs with a target rate no more than their cap. The others get
// what those leave. A run of less than a core takes up to one where others leave it.
func (h *host) allot() {
	residual := h.residual()
	h.allotted, h.divided = residual, 0
	var running, paced []*run
	parts := false
	for _, r := range h.runs {
		r.residual = residual
		if r.running {
			running, parts = append(running, r), parts || r.Part > 0
		}
		if r.running && r.target > 0 {
			paced = append(paced, r)
		}
	}
	if len(paced) == 0 && !parts || residual <= 0 {
		return
	}
	idle := h.idleCores()
	if parts {
		h.divided = idle
	}
	limitPaced(paced, idle)
	claims := make([]capacity.Claim, len(running))
	for i, r := range running {
		claims[i] = capacity.Claim{Weight: r.Cores().Float(), Most: r.maxCores()}
		if r.target > 0 {
			claims[i].Most = r.limit
		}
	}
	for i, part := range capacity.Divide(idle, claims) {
		running[i].residual = part / running[i].maxCores()
	}
}

// maxCores returns how many cores the run can use: a task of less than one core has a thread, which can use one.
func (r *run) maxCores() float64 { return max(r.Cores(), spec.Core).Float() }

// limitPaced limits the runs with a target rate to the cores that this rate takes, as the controllers
// of a real host do. If the idle cores do not suffice for all, priority decides.
func limitPaced(paced []*run, idle float64) {
	claims := make([]pace.Claim, len(paced))
	for i, r := range paced {
		claims[i] = pace.Claim{Cores: r.maxCores() * r.targetResidual(), Most: r.maxCores(), Priority: r.priority}
	}
	for i, limit := range pace.Mediate(claims, idle) {
		paced[i].limit = min(limit, claims[i].Cores)
	}
}

// targetResidual returns the residual at which the run reads at its target rate. It is 1 if the run reads nothing,
// or cannot reach the rate.
func (r *run) targetResidual() float64 {
	bytes := float64(r.bytes)
	if r.target <= 0 || bytes <= 0 {
		return 1
	}
	return min(r.truth.residual(bytes/r.target/r.scale), 1)
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
