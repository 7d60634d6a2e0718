package chaos

import (
	"fmt"
	"time"

	"lull/sim"
)

// drawReplicaSteps draws what happens to the replicas of a service that only some pools have. The steps of the rest
// of the pool do not depend on whether there are any.
func drawReplicaSteps(seed uint64, s *sim.Scenario, service string, replicas int) (steps []Step) {
	if replicas == 0 {
		return nil
	}
	d := drawing{rng: stream(seed, service+" steps"), s: *s}
	for range 3 + d.rng.IntN(10) {
		step := Step{At: time.Duration(d.rng.Int64N(int64(faultPeriod))).Round(time.Millisecond)}
		if d.rng.IntN(2) == 0 {
			d.drawEffect(&step)
			step.Op = pick(d.rng, sim.OpAppend, sim.OpAppend, sim.OpClaim, sim.OpSave, sim.OpLease, sim.OpDeliver)
		} else if step.Do = pick(d.rng, "crash", "crash", "stop", "expire", "forget", "stranger"); step.Do == "crash" || step.Do == "stop" {
			step.For = d.span(time.Minute)
		}
		if step.Target = fmt.Sprint(service, "/", d.rng.IntN(replicas)); step.Do == "stranger" {
			step.Target = service
		}
		steps = append(steps, step)
	}
	return steps
}
