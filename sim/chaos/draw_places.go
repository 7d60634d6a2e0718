package chaos

import (
	"fmt"
	"time"

	"lull/sim"
	"lull/subjects"
)

// place gives half of the pools placers, a network of two racks, and jobs whose stages move data.
func place(seed uint64, s *sim.Scenario) {
	rng := stream(seed, "place")
	if rng.IntN(2) == 0 {
		return
	}
	s.Placers, s.Network = 1+rng.IntN(2), &subjects.Wired{}
	for i := range 2 {
		rate := 1e6 * float64(1+rng.IntN(50))
		s.Network.Racks = append(s.Network.Racks, subjects.WiredRack{WiredLink: subjects.WiredLink{Name: fmt.Sprint("r", i), Up: rate, Down: rate}})
	}
	for i := range s.Hosts {
		s.Hosts[i].Labels = []string{fmt.Sprint("rack=r", rng.IntN(3))} // no rack has the name r2
	}
	for i := range s.Jobs {
		s.Jobs[i].Spec.Stages[0].Yield = 1e6 * int64(1+rng.IntN(200))
		s.Jobs[i].Spec.Place = pick(rng, "", "", "fast", "cheap", "spread", "pack", "off")
	}
}

// placerSteps draws what happens to placers. The steps of the rest of the pool do not depend on whether
// there are any.
func placerSteps(seed uint64, s *sim.Scenario) (steps []Step) {
	if s.Placers == 0 {
		return nil
	}
	d := drawing{rng: stream(seed, "placer steps"), s: *s}
	for range 3 + d.rng.IntN(10) {
		step := Step{At: time.Duration(d.rng.Int64N(int64(while))).Round(time.Millisecond)}
		if d.rng.IntN(2) == 0 {
			d.effect(&step)
			step.Op = pick(d.rng, sim.OpAppend, sim.OpAppend, sim.OpClaim, sim.OpSave, sim.OpLease, sim.OpDeliver)
		} else if step.Do = pick(d.rng, "crash", "crash", "stop", "expire", "forget", "stranger"); step.Do == "crash" || step.Do == "stop" {
			step.For = d.while(time.Minute)
		}
		if step.Who = fmt.Sprint("placer/", d.rng.IntN(s.Placers)); step.Do == "stranger" {
			step.Who = "placer"
		}
		steps = append(steps, step)
	}
	return steps
}
