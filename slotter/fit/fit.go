package fit

import (
	"cmp"
	"math"
	"slices"

	"lull/subjects"
	"lull/subjects/tct"
)

// Result is a fitted model: TCT(r) = A·e^(B·r) + C·e^(D·r) seconds, the
// steeper term first. See subjects.Fitted for the other fields of one.
type Result struct {
	A, B, C, D  float64
	Low, High   float64 // residuals of the samples
	Size, Fixed float64
	Least, Most float64 // inputs of the samples, in bytes
	Read90      float64
	Drift       bool
	Rests       int // on so many of the latest samples, 0 for all
	Terms       int // exponentials: 0 (a point, see tct.MinSpread), 1 or 2
	Score       Score
}

// Event is the result as a fact of the log. Count is Window.Count.
func (r Result) Event(name string, count uint64) *subjects.Fitted {
	f := r.fitted()
	f.Type, f.Samples = name, uint32(min(count, math.MaxUint32))
	if r.Rests > 0 {
		f.Samples = uint32(min(count, uint64(r.Rests)))
	}
	s := r.Score
	f.NRMSE, f.Over, f.Under, f.OverBy, f.UnderBy = s.NRMSE, s.Over, s.Under, s.OverBy, s.UnderBy
	f.Fast, f.Slow = s.Fast, s.Slow
	return f
}

func (r *Result) fitted() *subjects.Fitted {
	return &subjects.Fitted{
		A: r.A, B: r.B, C: r.C, D: r.D, Low: r.Low, High: r.High,
		Size: r.Size, Fixed: r.Fixed, Least: r.Least, Most: r.Most, Read90: r.Read90, Drift: r.Drift,
	}
}

func (r *Result) predictor() predictor {
	f := r.fitted()
	return predictor{f, tct.Of(f)}
}

// Fit returns the model of the samples, or false if fewer than MinSamples of them are usable.
// Samples of different inputs are scaled to the median one. One or two exponentials are chosen by
// the corrected Akaike criterion. Samples at nearly one residual say nothing about the shape. The
// model is then the default's hyperbola through their median, reported with Terms 0 as a constant
// between Low and High; tct.Of reads it that way.
func Fit(samples []Sample) (Result, bool) {
	samples = usable(samples)
	r, ok := model(samples)
	if ok {
		r.rate(samples)
	}
	return r, ok
}

// rate adds to a model what the samples say of its quality.
func (r *Result) rate(samples []Sample) {
	p := r.predictor()
	r.Score = assess(p, samples)
	r.Read90 = readOnIdleCore(p.curve, samples)
}

// model fits usable samples.
func model(samples []Sample) (Result, bool) {
	if len(samples) < MinSamples {
		return Result{}, false
	}
	r := Result{Low: samples[0].Residual, High: samples[len(samples)-1].Residual}
	varied := r.measure(samples)
	if varied {
		r.Fixed = newSizeLaw(samples, r.Size, nil).fixed()
	}
	r.shape(r.normalised(samples))
	if varied {
		r.reconsider(samples)
	}
	return r, true
}

// fewFast and fewSlow are taken for the tenth and ninetieth percentile of times over predicted ones
// while too few samples show how much they vary.
const fewFast, fewSlow = 0.5, 2

// first is the model of fewer than MinSamples usable samples, false for none: the default's
// hyperbola through their median.
func first(samples []Sample) (Result, bool) {
	if len(samples) == 0 || len(samples) >= MinSamples {
		return Result{}, false
	}
	middle := samples[len(samples)/2].Residual
	r := Result{Low: middle, High: middle}
	r.measure(samples)
	r.shape(r.normalised(samples))
	r.rate(samples)
	r.Score.Fast, r.Score.Slow = min(r.Score.Fast, fewFast), max(r.Score.Slow, fewSlow)
	return r, true
}

// enoughFixed is a change of Fixed that is worth another fit.
const enoughFixed = 0.02

// reconsider finds Fixed again, because the curve now separates samples of one range of residuals.
func (r *Result) reconsider(samples []Sample) {
	before := r.Fixed
	r.Fixed = newSizeLaw(samples, r.Size, tct.Of(r.fitted())).fixed()
	if math.Abs(r.Fixed-before) > enoughFixed {
		r.shape(r.normalised(samples))
	}
}

func (r *Result) shape(samples []Sample) {
	if r.High-r.Low < tct.MinSpread {
		r.A, r.B, r.C, r.D, r.Terms = point(samples, (r.Low+r.High)/2), 0, 0, 0, 0
		return
	}
	o, terms := chooseModel(weigh(samples))
	r.A, r.B, r.C, r.D, r.Terms = o.a, rateAt(o.u), 0, 0, terms
	if terms == 1 {
		return
	}
	if r.C, r.D = o.c, rateAt(o.v); r.B > r.D {
		r.A, r.B, r.C, r.D = r.C, r.D, r.A, r.B
	}
}

// usable are the valid samples, by residual.
func usable(samples []Sample) []Sample {
	kept := make([]Sample, 0, len(samples))
	for _, s := range samples {
		if s.valid() {
			kept = append(kept, s.clamped())
		}
	}
	slices.SortFunc(kept, func(x, y Sample) int { return cmp.Compare(x.Residual, y.Residual) })
	return kept
}

// point is the median time, each sample brought to the middle residual as if
// work were conserved.
func point(samples []Sample, middle float64) float64 {
	seconds := make([]float64, len(samples))
	for i, s := range samples {
		seconds[i] = s.Seconds * s.Residual / middle
	}
	return median(seconds)
}

// chooseModel returns the best model of one or two exponentials, and which it is.
func chooseModel(p *problem) (optimum, int) {
	one := p.single()
	if p.samples() < doubleNeeds {
		return one, 1
	}
	two := p.double(one)
	if two.a > 0 && two.c > 0 && aicc(p.samples(), 5, two.sse) < aicc(p.samples(), 3, one.sse) {
		return two, 2
	}
	return one, 1
}

// aicc is Akaike's criterion corrected for few samples. k counts the
// parameters, the variance included. Errors below a millionth are none.
func aicc(n, k int, sse float64) float64 {
	samples, parameters := float64(n), float64(k)
	fit := samples * math.Log(max(sse/samples, 1e-12))
	return fit + 2*parameters + 2*parameters*(parameters+1)/(samples-parameters-1)
}
