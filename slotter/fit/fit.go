package fit

import (
	"math"

	"lull/subjects"
	"lull/subjects/tct"
)

// Result is a fitted model: TCT(r) = A·e^(B·r) + C·e^(D·r) seconds, the
// steeper term first.
type Result struct {
	A, B, C, D float64
	Low, High  float64 // residuals of the samples
	Terms      int     // exponentials: 0 (a point, see tct.MinSpread), 1 or 2
	Score      Score
}

// Event is the result as a fact of the log. Seen is Window.Seen.
func (r Result) Event(name string, seen uint64) *subjects.Fitted {
	f := r.fitted()
	f.Type, f.Samples = name, uint32(min(seen, math.MaxUint32))
	f.NRMSE, f.Over, f.Under = r.Score.NRMSE, r.Score.Over, r.Score.Under
	return f
}

func (r Result) fitted() *subjects.Fitted {
	return &subjects.Fitted{A: r.A, B: r.B, C: r.C, D: r.D, Low: r.Low, High: r.High}
}

// Fit returns the model of the samples, false if fewer than MinSamples of them
// are usable. One or two exponentials are chosen by the corrected Akaike
// criterion. If the samples stand at nearly one residual, they say nothing
// about the shape: the model is the default's hyperbola through their median,
// reported with Terms 0 as a constant between Low and High, which tct.Of reads
// that way.
func Fit(samples []Sample) (Result, bool) {
	samples = usable(samples)
	if len(samples) < MinSamples {
		return Result{}, false
	}
	low, high := extent(samples)
	result := shape(samples, low, high)
	result.Low, result.High = low, high
	result.Score = Evaluate(tct.Of(result.fitted()), samples)
	return result, true
}

func shape(samples []Sample, low, high float64) Result {
	if high-low < tct.MinSpread {
		return point(samples, (low+high)/2)
	}
	return choose(weigh(samples))
}

func usable(samples []Sample) []Sample {
	kept := make([]Sample, 0, len(samples))
	for _, s := range samples {
		if s.valid() {
			s.Residual, s.Known = bound(s.Residual), bound(s.Known)
			kept = append(kept, s)
		}
	}
	return kept
}

func extent(samples []Sample) (low, high float64) {
	low, high = 1, 0
	for _, s := range samples {
		low, high = min(low, s.Residual), max(high, s.Residual)
	}
	return low, high
}

// point is the median time, each sample brought to the middle residual as if
// work were conserved.
func point(samples []Sample, middle float64) Result {
	seconds := make([]float64, len(samples))
	for i, s := range samples {
		seconds[i] = s.Seconds * s.Residual / middle
	}
	return Result{A: median(seconds)}
}

func choose(p *problem) Result {
	one := p.single()
	if len(p.r) < doubleNeeds {
		return one.result(1)
	}
	two := p.double()
	if two.a > 0 && two.c > 0 && aicc(len(p.r), 5, two.sse) < aicc(len(p.r), 3, one.sse) {
		return two.result(2)
	}
	return one.result(1)
}

// aicc is Akaike's criterion corrected for few samples. k counts the
// parameters, the variance included. Errors below a millionth are none.
func aicc(n, k int, sse float64) float64 {
	samples, parameters := float64(n), float64(k)
	fit := samples * math.Log(max(sse/samples, 1e-12))
	return fit + 2*parameters + 2*parameters*(parameters+1)/(samples-parameters-1)
}

func (o optimum) result(terms int) Result {
	if terms == 1 {
		return Result{A: o.a, B: rateAt(o.u), Terms: 1}
	}
	r := Result{A: o.a, B: rateAt(o.u), C: o.c, D: rateAt(o.v), Terms: 2}
	if r.B > r.D {
		r.A, r.B, r.C, r.D = r.C, r.D, r.A, r.B
	}
	return r
}
