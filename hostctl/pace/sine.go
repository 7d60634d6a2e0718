package pace

import (
	"math"
	"time"
)

const (
	// Sample is the time between two looks at a task. The paper takes 2 s; a
	// cap here is in force at once, and its period of 20 ms makes ten of a
	// sample, which is the least that averages over where a sample cuts them.
	Sample = 200 * time.Millisecond
	// Period is the samples of one sine of the cap, as in the paper: with 7 of
	// them no harmonic of the period falls together with a sample.
	Period = 7
	// Cycles is how many sines identification takes, as in the paper: 11.2 s.
	Cycles = 8
	// LeastCycles is how many it makes do with when the task ends sooner.
	LeastCycles = 3
)

// Least is the smallest cap, in cores: the kernel's smallest quota, 1 ms, in a
// period of 20 ms. A task that got nothing would hold its locks for ever.
const Least = 0.05

// Sine is the cap of sample k of an identification, in cores: a discrete sine
// from Least to most (section 4.2: amplitude 0 to 100 %).
func Sine(k int, most float64) float64 {
	phase := 2 * math.Pi * float64(k%Period) / Period
	return Least + (most-Least)*(1-math.Cos(phase))/2
}
