package tct

import (
	"time"

	"lull/subjects"
)

// Curves shares one curve among all stages that have the same, because a curve
// is a table. It grows by one entry a model and size of its input, and one an
// estimate. The zero value is not ready: use NewCurves.
type Curves struct {
	fitted   map[fittedKey]*Curve
	sizes    map[string][]int // of a model, the steps in fitted
	estimate map[time.Duration]*Curve
}

type fittedKey struct {
	model string
	size  int // see sizeStep
}

// NewCurves returns a store without curves.
func NewCurves() *Curves {
	return &Curves{map[fittedKey]*Curve{}, map[string][]int{}, map[time.Duration]*Curve{}}
}

// Of is the curve of a model's tasks that read so many bytes each, 0 for
// unknown, in steps of a sixteenth of an octave. As long as there is no model
// (nil), it is the default for the estimate, which knows its input.
func (c *Curves) Of(model *subjects.Fitted, estimate time.Duration, bytes int64) *Curve {
	if model == nil {
		return c.guess(estimate)
	}
	key := fittedKey{model.Type, sizeStep(model, bytes)}
	curve := c.fitted[key]
	if curve == nil {
		if curve = Of(model); key.size != 0 {
			curve = curve.scaled(key.size)
		}
		c.fitted[key] = curve
		c.sizes[key.model] = append(c.sizes[key.model], key.size)
	}
	return curve
}

func (c *Curves) guess(estimate time.Duration) *Curve {
	curve := c.estimate[estimate]
	if curve == nil {
		curve = Default(estimate)
		c.estimate[estimate] = curve
	}
	return curve
}

// Forget drops the curves of a model, because it is another one now.
func (c *Curves) Forget(model string) {
	for _, size := range c.sizes[model] {
		delete(c.fitted, fittedKey{model, size})
	}
	delete(c.sizes, model)
}

// Len is the number of curves.
func (c *Curves) Len() int { return len(c.fitted) + len(c.estimate) }
