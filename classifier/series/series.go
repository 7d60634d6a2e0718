package series

import (
	"math"
	"time"
)

const (
	// Step is the time between two samples of an agent.
	Step = 2 * time.Minute
	// Days is the length of a full window.
	Days = 28
)

// Day is a day in UTC, where every day has 24 hours.
const Day = 24 * time.Hour

// Series is usage at even steps. Values are shares of the host's cores, 0 to 1.
type Series struct {
	Start time.Time     // in UTC, on a boundary of Step
	Step  time.Duration // divides an hour
	Mean  []float32     // the mean of each slot; NaN for a gap
	// Peak is the greatest ten seconds of each slot. It is nil where they were not measured; Mean
	// replaces it then.
	Peak []float32
}

// End is the end of the last slot.
func (s *Series) End() time.Time { return s.Start.Add(time.Duration(len(s.Mean)) * s.Step) }

// Peaks is the greatest usage known of each slot.
func (s *Series) Peaks() []float32 {
	if s.Peak != nil {
		return s.Peak
	}
	return s.Mean
}

// Observed is the time that is no gap.
func (s *Series) Observed() time.Duration {
	n := 0
	for _, v := range s.Mean {
		if !math.IsNaN(float64(v)) {
			n++
		}
	}
	return time.Duration(n) * s.Step
}

// Between is the part of the series from one time until another. It shares its values.
func (s *Series) Between(from, until time.Time) *Series {
	clamp := func(at time.Time) int {
		return min(max(int(at.Sub(s.Start)/s.Step), 0), len(s.Mean))
	}
	low := clamp(from)
	high := max(clamp(until), low)
	part := &Series{Start: s.Start.Add(time.Duration(low) * s.Step), Step: s.Step, Mean: s.Mean[low:high]}
	if s.Peak != nil {
		part.Peak = s.Peak[low:high]
	}
	return part
}

// gap is a slot without a value.
var gap = float32(math.NaN())
