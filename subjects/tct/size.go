package tct

import (
	"math"

	"lull/subjects"
)

// startup is the share of a task's time that does not shrink with its input, below the least input
// seen. Proportional time would forget that a process has to start, and promise a small task too
// early. A constant time would keep small inputs out of a pool that has room for them.
const startup = 0.2

// Factor returns what an input of so many bytes a task makes of the model's time: Fixed +
// (1−Fixed)·bytes/Size, or 1 when either size is unknown. It errs on the long side where nothing
// was seen. Above the inputs seen it is that law itself: a model of one size has Fixed 0, so its
// time grows in proportion. Below f.Least a fifth of the time at f.Least stays.
func Factor(f *subjects.Fitted, bytes float64) float64 {
	if f == nil || !(f.Size > 0) || !(bytes > 0) {
		return 1
	}
	factor := law(f, bytes)
	if bytes < f.Least {
		factor = max(factor, law(f, f.Least)*(startup+(1-startup)*bytes/f.Least))
	}
	return clamp(factor, minFactor, maxFactor)
}

const minFactor, maxFactor = 1.0 / (1 << 20), 1 << 20

func law(f *subjects.Fitted, bytes float64) float64 {
	fixed := clamp(f.Fixed, 0, 1)
	return fixed + float64((1-fixed)*bytes/f.Size)
}

// octave is how many curves of a model there are between an input and twice it. Its time is off by
// at most 2.2 %, and a thousand stages share some dozens.
const octave = 16

// sizeStep is Factor in sixteenths of octaves; 0 is the model's own size.
func sizeStep(f *subjects.Fitted, bytes int64) int {
	return int(math.Round(octave * math.Log2(Factor(f, float64(bytes)))))
}

// scaled is the curve of tasks that take 2^(step/16) of c's time. What a
// residual costs them beside an idle core stays the same.
func (c *Curve) scaled(step int) *Curve {
	s, factor := *c, math.Exp2(float64(step)/octave)
	for i, seconds := range c.seconds {
		s.seconds[i] = quantise(float64(seconds) * factor)
	}
	return &s
}
