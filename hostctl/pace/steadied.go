package pace

import "math"

const (
	// steadiedTo is the noise of a throughput, as its share, up to which it is taken
	// as it is; what is noisier is averaged over in proportion.
	steadiedTo = 0.025
	// steadiedOver is how many samples are averaged at most: fewer than a task may
	// take to settle.
	steadiedOver = 12
	// noiseMemory is how many samples the noise is estimated from.
	noiseMemory = 25
	// silence is how many samples without a byte are no pause between two bursts.
	silence = 3
)

// steadied takes out of a throughput what comes of reading in bursts. An external sort
// reads a run and then works on it: with about a run a sample, each sample holds one,
// whatever the cap, until one holds two. A controller that follows this raises the cap
// while nothing seems to change, and is thrown back when something does, for ever.
//
// What is averaged is not the throughput, which would be late, but what the task makes
// of its cap: throughput over what the model expects of the caps that were in force.
// What follows from a new cap or a new reference shows as soon as without.
type steadied struct {
	known    bool    // expected is of the sample before
	expected float64 // by the model, in bytes/s

	rate, model float64 // means of throughput and of what was expected, in bytes/s
	n           float64
	variance    float64 // of throughput over what it was expected to be
	none        int     // samples without a byte, in a row
}

// see takes in a throughput, in bytes/s, with the cap in cores that it was had at, and
// returns it without its bursts.
func (s *steadied) see(m Model, measured, inForce float64) float64 {
	if !s.known { // of its first sample nobody knows what it carries over
		s.known, s.expected = true, measured
		return measured
	}
	s.expected = max(m.A*s.expected+m.B*inForce, 0)
	if s.silent(measured) || !(s.expected > 0) {
		return measured
	}
	over := s.over(measured)
	s.n++
	weight := 1 / min(s.n, over)
	s.rate += weight * (measured - s.rate)
	s.model += weight * (s.expected - s.model)
	return s.expected * s.rate / s.model
}

// over is how many samples the noise so far calls for.
func (s *steadied) over(measured float64) float64 {
	if s.rate > 0 {
		off := min(measured*s.model/(s.rate*s.expected)-1, 1)
		s.variance += (off*off - s.variance) / min(s.n, noiseMemory)
	}
	return min(max(math.Sqrt(s.variance)/steadiedTo, 1), steadiedOver)
}

// silent reports whether the task does something else than reading.
func (s *steadied) silent(measured float64) bool {
	if s.none++; measured > 0 {
		s.none = 0
	}
	return s.none >= silence
}

// rest says that no sample came, or one that tells nothing.
func (s *steadied) rest() { s.known = false }
