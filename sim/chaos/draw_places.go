package chaos

import (
	"fmt"

	"lull/sim"
	"lull/subjects"
)

// drawPlaces gives half of the pools placers, a network of two racks, and jobs whose stages move data.
func drawPlaces(seed uint64, s *sim.Scenario) {
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
