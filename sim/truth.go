package sim

import (
	"fmt"
	"math"
	"sort"

	"lull/subjects"
	"lull/subjects/spec"
	"lull/subjects/tct"
)

// curve is a Truth, prepared for interpolation.
type curve struct {
	Truth
	logs []float64 // of the points' seconds
}

func curves(types []Truth) map[string]*curve {
	all := make(map[string]*curve, len(types))
	for _, t := range types {
		all[t.Type] = newCurve(t)
	}
	return all
}

func newCurve(t Truth) *curve {
	c := &curve{Truth: t}
	for _, p := range t.Points {
		c.logs = append(c.logs, math.Log(p.Seconds))
	}
	return c
}

// published is how long a task that publishes outputs takes on an idle core, unless a Truth says
// otherwise.
const published = 1.0 // s

// conserved is the curve of a stage without a Truth: its estimate of
// work.
func conserved(stage *spec.Stage) *curve {
	seconds := stage.Estimate.Seconds()
	if seconds == 0 {
		seconds = tct.DefaultEstimate.Seconds()
		if stage.Publish {
			seconds = published
		}
	}
	return newCurve(Truth{Points: []Point{{1, seconds}}})
}

// seconds is the time of a task at residual r: +Inf at 0.
func (c *curve) seconds(r float64) float64 {
	i := sort.Search(len(c.Points), func(i int) bool { return c.Points[i].Residual >= r })
	switch {
	case r <= 0:
		return math.Inf(1)
	case i == 0: // work is conserved beyond the points
		return c.Points[0].Seconds * c.Points[0].Residual / r
	case i == len(c.Points):
		last := c.Points[i-1]
		return last.Seconds * last.Residual / r
	case c.Points[i].Residual == r:
		return c.Points[i].Seconds
	}
	a, b := c.Points[i-1].Residual, c.Points[i].Residual
	share := (r - a) / (b - a)
	return math.Exp(c.logs[i-1] + float64(share*(c.logs[i]-c.logs[i-1])))
}

// scale is the factor by which a task of a stage takes longer for its input.
func (c *curve) scale(bytes int64) float64 {
	if c.Size == 0 || bytes == 0 {
		return 1
	}
	return float64(bytes) / c.Size
}

// factor is what a task's seconds are multiplied by.
func (c *curve) factor(seed uint64, job string, bytes int64, task subjects.TaskID) float64 {
	return c.scale(bytes) * c.noise(seed, fmt.Sprintf("%s/%d/%d", job, task.Stage, task.Task))
}

// noise is a task's own factor: lognormal with mean 1. It follows from the
// seed and the task's name alone, so that every policy meets the same tasks.
func (c *curve) noise(seed uint64, task string) float64 {
	if c.Noise == 0 {
		return 1
	}
	return math.Exp(c.Noise*stream(seed, "noise "+task).NormFloat64() - c.Noise*c.Noise/2)
}
