package admission

import (
	"time"

	"lull/subjects/spec"
	"lull/subjects/tct"
)

// horizon is as good as never. Sums of predictions stay below it, so that no
// addition overflows.
const horizon = 50 * 365 * 24 * time.Hour

// prediction is what a job asks of the pool.
type prediction struct {
	// work is how long it keeps the whole pool from the jobs behind it:
	// equation 6 over all stages.
	work time.Duration
	// jct is how long it takes when nothing is before it: work, but no less
	// than its longest chain of stages, each no less than its waves of tasks.
	jct time.Duration
}

// predict predicts a job of which so many tasks remain in each stage.
func (a *Actor) predict(c *capacity, job *spec.Job, remaining []int) prediction {
	work, stages := 0.0, make([]float64, len(remaining))
	for i, n := range remaining {
		stage := &job.Stages[i]
		slots, curve := c.slots(stage), a.curves.Of(a.state.Model(job.Model(i)), stage.Estimate, stage.Bytes)
		work += slots.Work(n, curve)
		stages[i] = slots.JCT(n, curve)
	}
	path := tct.CriticalPath(job.Stages, stages)
	return prediction{work: a.span(work), jct: a.span(max(work, path))}
}

// span is a prediction with the margin, in whole milliseconds.
func (a *Actor) span(seconds float64) time.Duration {
	seconds *= 1 + a.cfg.Margin
	if !(seconds < horizon.Seconds()) {
		return horizon
	}
	return time.Duration(seconds*1e3) * time.Millisecond
}

// plus adds spans, never beyond the horizon.
func plus(x, y time.Duration) time.Duration { return min(x+y, horizon) }
