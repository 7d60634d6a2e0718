package fit

import (
	"math"
	"slices"

	"lull/subjects/tct"
)

// spreadSizes is the least ratio of the ninetieth to the tenth percentile of
// the input sizes at which they show how time grows with the size.
const spreadSizes = 1.25

// measure notes the input sizes of the samples. The model then describes tasks of their median size,
// Result.Size. It is 0 if fewer than MinSamples sizes are known. varied reports whether the sizes differ
// enough to show how time grows with them.
func (r *Result) measure(samples []Sample) (varied bool) {
	sizes := make([]float64, 0, len(samples))
	for i := range samples {
		if samples[i].Bytes > 0 {
			sizes = append(sizes, samples[i].Bytes)
		}
	}
	if len(sizes) < MinSamples {
		return false
	}
	r.Size = median(sizes) // median also sorts
	r.Least, r.Most = sizes[0], sizes[len(sizes)-1]
	return quantile(sizes, 0.9) >= spreadSizes*quantile(sizes, 0.1)
}

// normalised returns the samples with the times that they would have had with inputs of r.Size.
func (r *Result) normalised(samples []Sample) []Sample {
	if r.Size == 0 {
		return samples
	}
	model, same := r.fitted(), slices.Clone(samples)
	for i := range same {
		same[i].Seconds /= tct.Factor(model, same[i].Bytes)
	}
	return same
}

// sizeLaw finds the share of the time that does not grow with the input.
type sizeLaw struct {
	samples []Sample  // of known size, by residual
	time    []float64 // by sample: the logarithm of its time
	size    float64   // the median input, in bytes
	errors  []float64 // by sample; used by loss
}

// newSizeLaw prepares the samples of known size. Their times are divided by what the curve predicts
// for their residual, unless there is no curve yet (nil).
func newSizeLaw(samples []Sample, size float64, curve *tct.Curve) *sizeLaw {
	l := &sizeLaw{size: size}
	for _, s := range samples {
		if s.Bytes <= 0 {
			continue
		}
		seconds := s.Seconds
		if curve != nil {
			seconds /= curve.Seconds(s.Residual)
		}
		l.samples, l.time = append(l.samples, s), append(l.time, math.Log(seconds))
	}
	l.errors = make([]float64, len(l.samples))
	return l
}

// fixed returns the share of the time that does not grow with the input. It searches a grid, then
// around the best point with smaller and smaller steps. Of two shares that explain the samples equally
// well it prefers the smaller one. That predicts longer times for inputs larger than any seen, where
// nothing corrects a mistake in time.
func (l *sizeLaw) fixed() float64 {
	best, least := 0.0, l.loss(0)
	try := func(f float64) {
		if loss := l.loss(f); loss < least {
			best, least = f, loss
		}
	}
	for i := 1; i <= 8; i++ {
		try(float64(i) / 8)
	}
	for step := 1.0 / 16; step > 0.005; step /= 2 {
		middle := best
		try(max(middle-step, 0))
		try(min(middle+step, 1))
	}
	return best
}

// loss returns how badly a share explains the samples: the sum of the absolute differences between the
// logarithm of each sample's time, normalised by size, and the median of those of similar residual. So
// no curve has to be known, and a task that hung hardly matters.
func (l *sizeLaw) loss(fixed float64) float64 {
	for i := range l.samples {
		l.errors[i] = l.time[i] - math.Log(max(fixed+(1-fixed)*l.samples[i].Bytes/l.size, 1e-9))
	}
	sum, first := 0.0, 0
	for i := range l.samples {
		if i+1 == len(l.samples) || l.samples[i+1].bin() != l.samples[first].bin() {
			sum += deviation(l.errors[first : i+1])
			first = i + 1
		}
	}
	return sum * (1 + 0.01*fixed)
}

// bin returns the sample's range of residuals.
func (s *Sample) bin() int { return min(int(s.Residual*bins), bins-1) }

// deviation returns the sum of the absolute differences from the median. It sorts x.
func deviation(x []float64) (sum float64) {
	middle := median(x)
	for _, v := range x {
		sum += math.Abs(v - middle)
	}
	return sum
}

// quantile returns a quantile of a sorted list that is not empty.
func quantile(sorted []float64, q float64) float64 {
	return sorted[int(q*float64(len(sorted)-1)+0.5)]
}
