package tct

import (
	"maps"
	"time"

	"lull/subjects"
	"lull/subjects/spec"
)

// Curves shares one curve among all stages that have the same, because a curve
// is a table. It grows by one entry a model and size of its input, and one an
// estimate. The zero value is not ready: use NewCurves.
type Curves struct {
	fitted   map[fittedKey]*Curve
	sizes    map[string][]int // of a model, the steps in fitted
	estimate map[time.Duration]*Curve
	parts    map[partKey]*Curve // of those
}

type fittedKey struct {
	model string
	size  int // see sizeStep
}

// NewCurves returns a store without curves.
func NewCurves() *Curves {
	return &Curves{map[fittedKey]*Curve{}, map[string][]int{}, map[time.Duration]*Curve{}, map[partKey]*Curve{}}
}

// For is Of for tasks that take so many cores each.
func (c *Curves) For(model *subjects.Fitted, estimate time.Duration, bytes int64, cores spec.Cores) *Curve {
	return c.part(c.Of(model, estimate, bytes), cores)
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
		key := fittedKey{model, size}
		maps.DeleteFunc(c.parts, func(part partKey, _ *Curve) bool { return part.of == c.fitted[key] })
		delete(c.fitted, key)
	}
	delete(c.sizes, model)
}

// Len is the number of curves.
func (c *Curves) Len() int { return len(c.fitted) + len(c.estimate) + len(c.parts) }
