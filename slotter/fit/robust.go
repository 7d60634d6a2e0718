package fit

import (
	"math"
	"slices"
)

var inf = math.Inf(1)

// doubleNeeds is how many samples two exponentials need: one more than AICc
// divides by zero at.
const doubleNeeds = 7

// passes of reweighting: the estimate settles within a few.
const passes = 4

// weigh makes the problem that the final models solve. Errors count relative
// to the time itself, because tasks vary in proportion to how long they take,
// and what lies far from most others counts little: a task that hung, or one
// that found its input in memory. The weights come from the most flexible
// model the samples allow, so that the simpler one is judged by the same.
func weigh(samples []Sample) *problem {
	p := newProblem(samples)
	predicted := centre(samples)
	for range passes {
		scale := p.reweigh(samples, predicted)
		model := p.flexible()
		if p.predict(model, predicted); scale <= minScale {
			break // nothing stands out
		}
	}
	p.reweigh(samples, predicted)
	return p
}

// centre is the first guess: for each sample, the median of its neighbours in
// residual, itself included. It needs no model and no outlier moves it far.
func centre(samples []Sample) []float64 {
	guess, near := make([]float64, len(samples)), make([]float64, 0, len(samples))
	for i, s := range samples {
		near = near[:0]
		for _, other := range samples {
			if math.Abs(other.Residual-s.Residual) <= 0.05 {
				near = append(near, other.Seconds)
			}
		}
		guess[i] = median(near)
	}
	return guess
}

// minScale is the spread taken for noise at least, so that samples which agree
// to the millisecond do not make an outlier of the first that does not.
const minScale = 0.02

// reweigh sets weights and targets from the relative errors of predicted, by
// Tukey's biweight at 4.685 scales (95 % efficient on normal errors). It
// returns the scale, 1.4826 times the median error.
func (p *problem) reweigh(samples []Sample, predicted []float64) float64 {
	errors := make([]float64, len(samples))
	for i, s := range samples {
		errors[i] = math.Abs(s.Seconds-predicted[i]) / predicted[i]
	}
	scale := max(1.4826*median(slices.Clone(errors)), minScale)
	p.yy = 0
	for i, s := range samples {
		p.weight[i] = biweight(errors[i]/(4.685*scale)) / predicted[i]
		p.target[i] = p.weight[i] * s.Seconds
		p.yy += p.target[i] * p.target[i]
	}
	return scale
}

// biweight is the square root of Tukey's weight, with a little left for
// everything: were all others gone, even an outlier would be a model.
func biweight(u float64) float64 { return max(1-u*u, 1e-3) }

// flexible is the best model of as many terms as the samples allow. The grid
// alone is near enough for weights.
func (p *problem) flexible() optimum {
	if len(p.r) < doubleNeeds {
		return p.single()
	}
	return p.pairs().lowest()
}

func (p *problem) predict(o optimum, into []float64) {
	for i, r := range p.r {
		into[i] = max(o.a*math.Exp(rateAt(o.u)*r)+o.c*math.Exp(rateAt(o.v)*r), 1e-6)
	}
}

// median sorts x, which must not be empty.
func median(x []float64) float64 {
	slices.Sort(x)
	middle := len(x) / 2
	if len(x)%2 == 1 {
		return x[middle]
	}
	return (x[middle-1] + x[middle]) / 2
}
