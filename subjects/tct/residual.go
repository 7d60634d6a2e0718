package tct

import "math"

const (
	// MinResidual is the least residual a time is predicted for. Below it a
	// task hardly moves, and how long it takes is the tenant's choice alone.
	MinResidual = 0.05
	// Steps is the number of residual steps between 0 and 1.
	Steps = 100

	minStep = 5 // MinResidual in steps
)

// Residual returns the share of a core that one of a host's busy slots has: its idle cores over its
// busy slots, itself included, within 0 and 1. Idle is cores − primary usage, as in telemetry.
func Residual(idle float64, busy int) float64 {
	return clamp(idle/float64(max(busy, 1)), 0, 1)
}

// Step returns r in hundredths, 0 to Steps. Slots of one step are the same to every prediction, so
// they can be counted instead of listed.
func Step(r float64) int {
	switch {
	case !(r > 0): // so written, what is no number is none
		return 0
	case r >= 1:
		return Steps
	}
	// The conversion keeps compilers from fusing the product into the sum,
	// which rounds differently.
	return int(float64(r*Steps) + 0.5)
}

// clamp bounds x, and makes the lower bound of what is no number.
func clamp(x, low, high float64) float64 {
	if math.IsNaN(x) {
		return low
	}
	return min(max(x, low), high)
}
