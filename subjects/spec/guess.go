package spec

import (
	"math"
	"time"
)

// PublishModel is the completion-time model of all stages that copy results.
const PublishModel = "lull:output"

const (
	// publishStart is what it takes to begin and to end a copy: a process, and the folder's swap.
	publishStart = 100 * time.Millisecond
	// publishRate is what a slow disk writes and syncs, in bytes a second. The first copies
	// that a pool makes give a model that knows better.
	publishRate = 100e6
)

// Guess returns how long a task with so many bytes of input takes on an idle core, while no model
// exists: the document's estimate, or for a copy of results a time by its size. It is 0 if nothing
// is known.
func (s *Stage) Guess(bytes int64) time.Duration {
	if s.Estimate > 0 || !s.Publish {
		return s.Estimate
	}
	return rounded(publishStart + time.Duration(float64(max(bytes, 0))/publishRate*1e9))
}

// rounded keeps the number of different guesses small, and with it that of the curves made of
// them: four an octave.
func rounded(d time.Duration) time.Duration {
	return time.Duration(math.Exp2(math.Round(4*math.Log2(float64(d))) / 4)).Round(time.Millisecond)
}
