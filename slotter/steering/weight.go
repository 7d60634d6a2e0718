package steering

import "lull/subjects/profile"

// Weights say how much a class counts by the rank of its pattern: first, second, third.
type Weights [3]uint32

// Ranked are the weights unless configured otherwise.
var Ranked = Weights{3, 2, 1}

// ranking of the patterns, the preferred one first (section 4.1 of the paper).
var ranking = [lengths][3]profile.Pattern{
	Medium: {profile.Periodic, profile.Constant, profile.Unpredictable},
	Short:  {profile.Unpredictable, profile.Periodic, profile.Constant},
	Long:   {profile.Constant, profile.Periodic, profile.Unpredictable},
}

func preferred(l Length) profile.Pattern { return ranking[l][0] }

// Prefers returns the length of jobs that prefer classes of a pattern.
func Prefers(p profile.Pattern) Length {
	for l := range Length(lengths) {
		if preferred(l) == p {
			return l
		}
	}
	return Medium
}

// Of is the weight of a pattern's classes for jobs of a length.
func (w *Weights) Of(l Length, p profile.Pattern) uint32 {
	for rank, pattern := range ranking[l] {
		if pattern == p {
			return w[rank]
		}
	}
	return 0
}
