package tct

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// The primary's range, as a share of the machine (MIMP, section 6.3: 10 to 100 %; a host that
// leaves less than a twentieth of a core gets no task).
const lowest, highest = 0.10, 0.95

// sweep is the levels of one pass: none, and one drawn from each stratum of
// the range. Up and down in turn, so that neighbours differ little and each
// settles soon.
func sweep(rng *rand.Rand, pass, strata int) []float64 {
	levels := []float64{0}
	width := (highest - lowest) / float64(strata)
	for i := range strata {
		levels = append(levels, lowest+width*(float64(i)+rng.Float64()))
	}
	if pass%2 == 1 {
		slices.Reverse(levels)
	}
	return levels
}

// settling is how long a new level must last until the last one is no more than a twentieth of the
// residual that the monitor reports: its average over the window still has 1 − t/window of the
// step.
func settling(from, to float64, most time.Duration) time.Duration {
	step := math.Abs(to - from)
	if step == 0 {
		return 0
	}
	wait := 1 - 0.05*(1-to)/step
	return min(most, time.Duration(max(wait, 0)*float64(monitorWindow))+time.Second) // the monitor's own pause
}

// tasksAt is how many tasks of each type a round has: one where a task takes
// more than five times as long as on an idle core, for the time of all.
func tasksAt(level float64, each int) int {
	if level > 0.8 {
		return 1
	}
	return each
}
