package tct

import (
	"maps"
	"time"

	"lull/subjects"
	"lull/subjects/spec"
)

// Curves shares one curve among all stages that have the same, because a curve is a table. The zero
// value is not ready: use NewCurves.
type Curves struct {
	fitted map[curveKey]*Curve // of models, for whole cores
	chosen map[curveKey]*Curve // of estimates and of parts of cores, which users choose
}

// mostChosen bounds the curves of estimates and parts, at 14 MB. All are dropped beyond it, and made
// again where they are still asked for.
const mostChosen = 1 << 14

// curveKey is all that a curve is made from.
type curveKey struct {
	model    string        // "" as long as there is none
	size     int           // of a model's input: see sizeStep
	estimate time.Duration // without a model
	cores    spec.Cores    // of a task, at most one
}

// NewCurves returns a store without curves.
func NewCurves() *Curves { return &Curves{map[curveKey]*Curve{}, map[curveKey]*Curve{}} }

// Of is For with tasks that take a core each, or more.
func (c *Curves) Of(model *subjects.Fitted, estimate time.Duration, bytes int64) *Curve {
	return c.For(model, estimate, bytes, spec.Core)
}

// For is the curve of a model's tasks that read so many bytes each, 0 for unknown, in steps of a
// sixteenth of an octave, and take so many cores each. As long as there is no model (nil), it is the
// default for the estimate, which knows its input.
func (c *Curves) For(model *subjects.Fitted, estimate time.Duration, bytes int64, cores spec.Cores) *Curve {
	key := curveKey{cores: min(cores, spec.Core)}
	if model == nil {
		key.estimate = estimate
	} else {
		key.model, key.size = model.Type, sizeStep(model, bytes)
	}
	return c.get(key, model)
}

// get returns the curve of a key, made if need be of its model.
func (c *Curves) get(key curveKey, model *subjects.Fitted) *Curve {
	all := c.chosen
	if model != nil && key.cores == spec.Core {
		all = c.fitted
	}
	if curve := all[key]; curve != nil {
		return curve
	}
	curve := c.tabulate(key, model)
	if len(c.chosen) == mostChosen {
		clear(c.chosen)
	}
	all[key] = curve
	return curve
}

func (c *Curves) tabulate(key curveKey, model *subjects.Fitted) *Curve {
	switch cores := key.cores; {
	case cores < spec.Core:
		key.cores = spec.Core
		return c.get(key, model).part(cores)
	case model == nil:
		return Default(key.estimate)
	case key.size == 0:
		return Of(model)
	}
	return Of(model).scaled(key.size)
}

// Forget drops the curves of a model, because it is another one now.
func (c *Curves) Forget(model string) {
	of := func(key curveKey, _ *Curve) bool { return key.model == model }
	maps.DeleteFunc(c.fitted, of)
	maps.DeleteFunc(c.chosen, of)
}

// Len is the number of curves.
func (c *Curves) Len() int { return len(c.fitted) + len(c.chosen) }
