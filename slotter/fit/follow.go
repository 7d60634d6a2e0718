package fit

import (
	"math"
	"slices"

	"lull/subjects"
	"lull/subjects/tct"
)

const (
	// Model errors up to 10 % change little, 15 to 20 % cost throughput (MIMP, figure 9). So 15 %
	// is worth a refit out of turn, if most samples agree.
	biasRatio = 1.15
	biasCount = latest * 3 / 4

	// alarmRatio is how far a sample may be from the model before it counts
	// as one that does not follow it. Tasks that vary by half (a standard
	// deviation of 0.5 in the logarithm) are beyond it once in six. calmRatio
	// is how close it must be before it counts as one that does again.
	alarmRatio = 2
	calmRatio  = 1.75
)

// predictor reads a model.
type predictor struct {
	model *subjects.Fitted
	curve *tct.Curve
}

// after returns the model's time for a task with a known run.
func (p predictor) after(s *Sample) float64 {
	return p.curve.Seconds(s.Residual) * tct.Factor(p.model, s.Bytes)
}

// before is the time that it gives with what was known at the assignment.
func (p predictor) before(s *Sample) float64 {
	return p.curve.Seconds(s.Known) * tct.Factor(p.model, s.Bytes)
}

// isBiased counts instead of averaging: one task that hung is no drift.
func (p predictor) isBiased(samples []Sample) bool {
	slower, faster := 0, 0
	for i := range samples {
		expected, seconds := p.after(&samples[i]), samples[i].Seconds
		if seconds > expected*biasRatio {
			slower++
		}
		if seconds*biasRatio < expected {
			faster++
		}
	}
	return max(slower, faster) >= biasCount
}

// alarmDue reports whether an alarm is due: at seven samples in sixteen, of at
// least sixteen, that are beyond twice the time or below half.
func (p predictor) alarmDue(samples []Sample) bool {
	return len(samples) >= latest && 16*p.far(samples, alarmRatio) >= 7*len(samples)
}

// alarmOver reports whether an alarm may end: at most three in thirty-two are not within 1.75 times.
// The two thresholds lie far apart because some types always have strays. Whatever their share is,
// a look that sees more than one threshold and a look that sees less than the other are a thousand
// tasks apart.
func (p predictor) alarmOver(samples []Sample) bool {
	return len(samples) >= latest && 32*p.far(samples, calmRatio) <= 3*len(samples)
}

// far counts the samples that are further than ratio from the model or, if they
// are more, from most other samples. Between two kinds of tasks, 2.5 times
// apart, a model is near both, and the next one on one of them.
func (p predictor) far(samples []Sample, ratio float64) int {
	if len(samples) == 0 {
		return 0
	}
	times := make([]float64, len(samples))
	for i := range samples {
		times[i] = samples[i].Seconds / p.after(&samples[i])
	}
	return max(farFrom(1, times, ratio), farFrom(typical(times), times, ratio))
}

// typical is the middle one of x, which it sorts and is not empty. Unlike median it never lies
// between two kinds.
func typical(x []float64) float64 {
	slices.Sort(x)
	return quantile(x, 0.5)
}

func farFrom(middle float64, x []float64, ratio float64) (n int) {
	for _, v := range x {
		if v > middle*ratio || v*ratio < middle {
			n++
		}
	}
	return n
}

// miss is the median factor between prediction and time, as a logarithm.
func (p predictor) miss(samples []Sample) float64 {
	misses := make([]float64, len(samples))
	for i := range samples {
		misses[i] = math.Abs(math.Log(samples[i].Seconds / p.after(&samples[i])))
	}
	return median(misses)
}

// calm is a cheap test whether a fit may follow the samples again: they are close to a constant
// time, or to conserved work.
func calm(model *subjects.Fitted, samples []Sample) bool {
	flat, work := make([]float64, len(samples)), make([]float64, len(samples))
	for i := range samples {
		s := &samples[i]
		flat[i] = s.Seconds / tct.Factor(model, s.Bytes)
		work[i] = flat[i] * s.Residual
	}
	return isTight(flat) || isTight(work)
}

func isTight(seconds []float64) bool {
	return 32*farFrom(typical(seconds), seconds, calmRatio) <= 3*len(seconds)
}
