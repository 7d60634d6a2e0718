package tct

import "lull/subjects/spec"

// CriticalPath returns the longest chain of stages that wait for each other, in the unit of
// seconds. seconds is the time that one task (or what is left) of each stage takes, 0 for a stage
// that is done. More slots never make a job shorter than this. A dependency that does not exist
// counts nothing. A cycle ends the search.
func CriticalPath(stages []spec.Stage, seconds []float64) float64 {
	ends := make([]float64, min(len(stages), len(seconds)))
	longest := 0.0
	// Stages may stand in any order, so relax until nothing moves: one round
	// for stages in order, at most one a stage.
	for range ends {
		moved := false
		for i := range ends {
			end := after(ends, stages[i]) + seconds[i]
			moved = moved || end > ends[i]
			ends[i] = max(ends[i], end)
			longest = max(longest, end)
		}
		if !moved {
			break
		}
	}
	return longest
}

// after is when everything that a stage waits for is done.
func after(ends []float64, stage spec.Stage) float64 {
	start := 0.0
	for _, s := range stage.After {
		start = max(start, endOf(ends, s))
	}
	for _, from := range stage.From {
		start = max(start, endOf(ends, from.Stage))
	}
	return start
}

func endOf(ends []float64, stage uint32) float64 {
	if int64(stage) >= int64(len(ends)) {
		return 0
	}
	return ends[stage]
}
