package truth

import (
	"math/rand/v2"
	"slices"

	"lull/sim"
)

// Tilt returns a set known with a relative error of e, without noise. At one end of its residuals a type's
// time is e too long, at the other e too short, and in between in proportion. Which end is drawn for
// each type. An error that is the same at all residuals would leave NormTCT, and so MP's rule (ii), as
// it is.
func Tilt(set []sim.Truth, e float64, rng *rand.Rand) []sim.Truth {
	tilted := make([]sim.Truth, len(set))
	for i, t := range set {
		sign := float64(2*rng.IntN(2) - 1)
		t.Points, t.Noise = slices.Clone(t.Points), 0
		for p := range t.Points {
			t.Points[p].Seconds *= 1 + sign*e*(1-2*t.Points[p].Residual)
		}
		tilted[i] = t
	}
	return tilted
}
