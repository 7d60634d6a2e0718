package tct

import (
	"time"

	"lull/subjects"
)

// Curves shares one curve among all stages that have the same, because a curve
// is a table. It grows by one entry a model and one an estimate. The zero
// value is not ready: use NewCurves.
type Curves struct {
	fitted   map[string]*Curve
	estimate map[time.Duration]*Curve
}

// NewCurves returns a store without curves.
func NewCurves() *Curves {
	return &Curves{map[string]*Curve{}, map[time.Duration]*Curve{}}
}

// Of is the curve of a type's model or, as long as there is none (nil), the
// default for the estimate.
func (c *Curves) Of(model *subjects.Fitted, estimate time.Duration) *Curve {
	if model == nil {
		return entry(c.estimate, estimate, func() *Curve { return Default(estimate) })
	}
	return entry(c.fitted, model.Type, func() *Curve { return Of(model) })
}

func entry[K comparable](m map[K]*Curve, key K, build func() *Curve) *Curve {
	if m[key] == nil {
		m[key] = build()
	}
	return m[key]
}

// Forget drops the curve of a type, because its model is another one now.
func (c *Curves) Forget(jobType string) { delete(c.fitted, jobType) }

// Len is the number of curves.
func (c *Curves) Len() int { return len(c.fitted) + len(c.estimate) }
