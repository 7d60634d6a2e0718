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

// weigh makes the problem that the final models solve. Errors count relative to the time itself,
// because tasks vary in proportion to how long they take. Old samples count less. Samples far from
// most others count little: a task that hung, or one that found its input in memory. The weights
// come from the most flexible model that the samples allow, so that the simpler one is judged by
// the same.
func weigh(samples []Sample) *problem {
	p, age := newProblem(samples), fade(samples)
	predicted := p.centre(samples)
	for range passes {
		scale := p.reweigh(samples, age, predicted)
		model := p.flexible()
		if predict(model, samples, predicted); scale <= minScale {
			break // nothing stands out
		}
	}
	p.reweigh(samples, age, predicted)
	return p
}

// nearby is how many neighbours on each side the first guess looks at.
const nearby = 16

// centre is the first guess: for each row, the median of its middle sample's
// neighbours in residual. It needs no model and no outlier moves it far.
func (p *problem) centre(samples []Sample) []float64 {
	guess, first, near := make([]float64, len(samples)), 0, make([]float64, 0, 2*nearby+1)
	for _, end := range p.ends {
		middle := (first + end) / 2
		near = near[:0]
		for _, s := range samples[max(0, middle-nearby):min(len(samples), middle+nearby+1)] {
			if math.Abs(s.Residual-samples[middle].Residual) <= 0.05 {
				near = append(near, s.Seconds)
			}
		}
		typical := median(near)
		for ; first < end; first++ {
			guess[first] = typical
		}
	}
	return guess
}

// minScale is the least spread that counts as noise. Without it, after samples that agree to the
// millisecond, the first that does not would be an outlier.
const minScale = 0.02

// reweigh sets weights and targets from the relative errors of predicted, by
// Tukey's biweight at 4.685 scales (95 % efficient on normal errors). It
// returns the scale, 1.4826 times the median error.
func (p *problem) reweigh(samples []Sample, age, predicted []float64) float64 {
	errors := make([]float64, len(samples))
	for i, s := range samples {
		errors[i] = math.Abs(s.Seconds-predicted[i]) / predicted[i]
	}
	scale := max(1.4826*median(slices.Clone(errors)), minScale)
	p.yy = 0
	first := 0
	for row, end := range p.ends {
		squares, times := 0.0, 0.0
		for i := first; i < end; i++ {
			w := biweight(errors[i]/(4.685*scale)) / predicted[i]
			w *= w * age[i]
			squares += w
			times += w * samples[i].Seconds
			p.yy += w * samples[i].Seconds * samples[i].Seconds
		}
		p.weight[row] = math.Sqrt(squares)
		p.target[row] = times / p.weight[row]
		first = end
	}
	return scale
}

// biweight is the square root of Tukey's weight, with a minimum: if no other sample were left, an
// outlier would still give a model.
func biweight(u float64) float64 { return max(1-u*u, 1e-3) }

// flexible is the best model of as many terms as the samples allow. The grid
// alone is near enough for weights.
func (p *problem) flexible() optimum {
	if p.samples() < doubleNeeds {
		return p.single()
	}
	return p.pairs().lowest()
}

func predict(o optimum, samples []Sample, into []float64) {
	b, d := rateAt(o.u), rateAt(o.v)
	for i := range samples {
		r := samples[i].Residual
		into[i] = max(o.a*math.Exp(b*r)+o.c*math.Exp(d*r), 1e-6)
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
