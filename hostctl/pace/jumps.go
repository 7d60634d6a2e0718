package pace

import "math"

const (
	// calm is how much throughput may jump from sample to sample, as its share, before
	// the gains are lowered; jumps twice as large halve them, down to gentlest.
	calm     = 0.1
	gentlest = 0.25
	// jumpMemory is how many samples jumps are averaged over, five seconds.
	jumpMemory = 25
	// silence is how many samples without a byte are no pause between two bursts.
	silence = 3
)

// jumps measures what a task makes of its cap from one sample to the next. An external
// sort reads a run and then works on it: with half a run a sample, a sample holds one or
// none, whatever the cap. A controller that follows such jumps at full gain makes them
// larger, since what is too much in one sample is missing from the next.
//
// Only differences of neighbours count (von Neumann's estimate of a variance), so that
// what changes once and stays so, such as a rival that comes, lowers no gain.
type jumps struct {
	last     float64 // throughput over what the model expected; NaN if there is none
	mean     float64 // of it
	variance float64 // half the mean square of its differences
	n        float64
	none     int // samples without a byte, in a row
}

func newJumps() jumps { return jumps{last: math.NaN()} }

// see takes in a throughput over what was expected.
func (j *jumps) see(measured, expected float64) {
	if j.none++; measured > 0 {
		j.none = 0
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

// rest says that no sample came, or one that tells nothing.
func (j *jumps) rest() { j.last = math.NaN() }

// share is the share of the gains to control with. Any share of stable gains is stable:
// the coefficients of the loop lie on the way from those of gains 0, at the border of the
// stable ones, to theirs, and the region of stable coefficients is convex.
func (j *jumps) share() float64 {
	if j.none >= silence || j.n == 0 {
		return 1
	}
	size := math.Sqrt(j.variance) / max(j.mean, 1e-9)
	return max(gentlest, min(1, calm/max(size, 1e-9)))
}
