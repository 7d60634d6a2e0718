package fit

import (
	"lull/subjects"
	"lull/subjects/tct"
)

const (
	// Model errors up to 10 % change little, 15 to 20 % cost throughput (MIMP,
	// figure 9): 15 % is worth a refit out of turn, if most samples agree.
	leanRatio = 1.15
	leanCount = latest * 3 / 4

	// astrayRatio is how far a sample may be from the model before it counts
	// as one that does not follow it. Tasks that vary by half (a standard
	// deviation of 0.5 in the logarithm) are beyond it once in six.
	astrayRatio = 2
)

// predictor reads a model.
type predictor struct {
	model *subjects.Fitted
	curve *tct.Curve
}

// after is the time that the model gives to a task whose run is known.
func (p predictor) after(s *Sample) float64 {
	return p.curve.Seconds(s.Residual) * tct.Factor(p.model, s.Bytes)
}

// before is the time that it gives with what was known at the assignment.
func (p predictor) before(s *Sample) float64 {
	return p.curve.Seconds(s.Known) * tct.Factor(p.model, s.Bytes)
}

// leans counts instead of averaging: one task that hung is no drift.
func (p predictor) leans(samples []Sample) bool {
	slower, faster := 0, 0
	for i := range samples {
		expected, seconds := p.after(&samples[i]), samples[i].Seconds
		if seconds > expected*leanRatio {
			slower++
		}
		if seconds*leanRatio < expected {
			faster++
		}
	}
	return max(slower, faster) >= leanCount
}

// astray counts the samples that are beyond twice the time, or below half.
func (p predictor) astray(samples []Sample) (n int) {
	for i := range samples {
		if far(samples[i].Seconds, p.after(&samples[i])) {
			n++
		}
	}
	return n
}

func far(x, y float64) bool { return x > y*astrayRatio || x*astrayRatio < y }

// stray and settled say of so many samples astray whether an alarm begins, at
// three in eight, or may end, at one in eight. What lies between keeps an alarm
// as it is: of types that hover at any one level, fewer than one in a hundred
// pairs of looks sees both.
func stray(n, of int) bool   { return of >= latest && 8*n >= 3*of }
func settled(n, of int) bool { return of >= latest && 8*n <= of }

// calm is a cheap look at whether a fit may follow the samples again: they
// stand close to a time that is constant, or to conserved work.
func calm(model *subjects.Fitted, samples []Sample) bool {
	flat, work := make([]float64, len(samples)), make([]float64, len(samples))
	for i := range samples {
		s := &samples[i]
		flat[i] = s.Seconds / tct.Factor(model, s.Bytes)
		work[i] = flat[i] * s.Residual
	}
	return close(flat) || close(work)
}

func close(seconds []float64) bool {
	middle, n := median(seconds), 0
	for _, s := range seconds {
		if far(s, middle) {
			n++
		}
	}
	return settled(n, len(seconds))
}
