package pace

import (
	"math"
	"time"
)

const (
	// Sample is the time between two measurements of a task. The paper uses 2 s, but a
	// cap takes effect at once here. A sample has ten periods of the kernel's quota, 20 ms
	// each: fewer would not average out where in a period the sample begins.
	Sample = 200 * time.Millisecond
	// Period is the number of samples in a cycle of the sine, as in the paper: with 7 of
	// them no harmonic of the cycle coincides with the sampling.
	Period = 7
	// Cycles is the number of cycles of an identification, as in the paper: 11.2 s.
	Cycles = 8
	// LeastCycles is the number that suffices when the task ends sooner.
	LeastCycles = 3
)

// Least is the smallest cap, in cores: the kernel's smallest quota, 1 ms, in a
// period of 20 ms. A task without any CPU would never release its locks.
const Least = 0.05

// Sine returns the cap of sample k of an identification, in cores: a discrete sine from Least to
// most (section 4.2: amplitude 0 to 100 %).
func Sine(k int, most float64) float64 {
	phase := 2 * math.Pi * float64(k%Period) / Period
	return Least + (most-Least)*(1-math.Cos(phase))/2
}
