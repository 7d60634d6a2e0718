package slotter

import (
	"lull/subjects"
	"lull/subjects/tct"
)

// slowdown is a run's time over the predicted one; 0 if nothing tested the
// prediction. The prediction is for the residual and the input that the task
// turned out to have: what they explain, the data node is not to blame for.
func (t *tracker) slowdown(j *job, stage int, run *subjects.Run) float64 {
	curve := j.stages[stage].curve
	if !curve.Fitted {
		return 0
	}
	expected := curve.Seconds(run.Residual)
	if bytes := j.life.Stages[stage].Bytes; bytes > 0 && run.In > 0 {
		m := t.state.Model(j.life.Shape.Model(stage))
		expected *= tct.Factor(m, float64(run.In)) / tct.Factor(m, float64(bytes))
	}
	slow := run.Seconds / expected
	if width := j.life.Shape.Stages[stage].CPU; computed(run, width) {
		return min(slow, 1)
	}
	return slow
}

// computing is the part of the CPU that its residual leaves a task from which on
// it counts as computing all the time.
const computing = 0.85

// computed reports whether a run used the CPU that it could have all along.
// Whatever made it slow then, such as a larger part of the work than the others
// have, it did not wait for its input.
func computed(run *subjects.Run, width uint32) bool {
	return run.CPU > 0 && run.CPU >= computing*run.Residual*float64(width)*run.Seconds
}
