package pace

import "math"

const (
	// steadyJump is the share by which throughput may jump from sample to sample before the
	// gains are lowered. Jumps twice as large halve them, down to minGainShare.
	steadyJump   = 0.1
	minGainShare = 0.25
	// jumpMemory is how many samples the average covers: five seconds.
	jumpMemory = 25
	// maxSilent is how many samples without a byte are more than a pause between two bursts.
	maxSilent = 3
)

// jumps measures how much throughput, relative to the model's prediction, varies from one sample to
// the next. An external sort reads a run and then sorts it. If that takes two samples, a sample has
// a whole run or nothing, whatever the cap. A controller that follows such jumps at full gain makes
// them larger, because an excess in one sample is missing in the next.
//
// Only differences of neighbours count (von Neumann's estimate of a variance), so that a
// lasting change, such as another task on the host, does not lower the gains.
type jumps struct {
	last     float64 // throughput over what the model expected; NaN if there is none
	mean     float64 // of it
	variance float64 // half the mean square of its differences
	n        float64
	silent   int // samples without a byte, in a row
}

func newJumps() jumps { return jumps{last: math.NaN()} }

// add adds a sample: the measured throughput and the one that the model expected.
func (j *jumps) add(measured, expected float64) {
	if j.silent++; measured > 0 {
		j.silent = 0
	}
	if !(expected > 0) {
		j.rest()
		return
	}
	now := measured / expected
	if !math.IsNaN(j.last) {
		j.n++
		weight := 1 / min(j.n, jumpMemory)
		j.mean += weight * (now - j.mean)
		j.variance += weight * ((now-j.last)*(now-j.last)/2 - j.variance)
	}
	j.last = now
}

// rest reports that a sample is missing or unusable.
func (j *jumps) rest() { j.last = math.NaN() }

// share is the share of the gains to use. Any share of stable gains is stable: the loop's
// coefficients then lie between those of the full gains and those of gains 0, which are at
// the border of the stable region, and that region is convex.
func (j *jumps) share() float64 {
	if j.silent >= maxSilent || j.n == 0 {
		return 1
	}
	size := math.Sqrt(j.variance) / max(j.mean, 1e-9)
	return max(minGainShare, min(1, steadyJump/max(size, 1e-9)))
}
