package tct

import "lull/subjects/spec"

// part is the curve of the type's tasks that take less than a core each, over the residual of the
// slot that they share: each has its part of that while the others want theirs. With fewer beside
// it a task may be faster, so the curve is the safe side for a promise.
func (c *Curve) part(of spec.Cores) *Curve {
	return tabulateCurve(&Curve{Fitted: c.Fitted, Low: c.Low, High: c.High, whole: c}, func(r float64) float64 {
		step := r * of.Float() * Steps
		if step <= minStep {
			return c.At(minStep) * minStep / step // below it work is conserved
		}
		low := int(step)
		high := min(low+1, Steps)
		return c.At(low) + (c.At(high)-c.At(low))*float64(step-float64(low))
	})
}

// Whole is the curve over the share of a core that a task itself has. It is the curve itself for
// tasks of a core and more.
func (c *Curve) Whole() *Curve {
	if c.whole != nil {
		return c.whole
	}
	return c
}
