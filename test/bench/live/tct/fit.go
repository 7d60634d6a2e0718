package tct

import (
	"cmp"
	"math"
	"slices"

	"lull/slotter/fit"
	"lull/subjects"
	"lull/subjects/tct"
)

// learnt is what one type's samples say.
type learnt struct {
	*kind
	samples []sample
	model   *subjects.Fitted // of all samples; nil if there are too few
	curve   *tct.Curve
	live    *subjects.Fitted // the last one that the running slotter fitted
	noise   float64          // standard deviation of log(observed/curve) at the mean residual
	read    float64          // bytes/s on an idle core, ninetieth percentile
	outside score            // of predictions for rounds that the model had not seen
	made    score            // of the predictions that the running slotter made
}

// learn fits the types' models as the slotter does, to the samples kept.
func learn(c *campaign) []learnt {
	all := make([]learnt, len(c.kinds))
	for i, k := range c.kinds {
		l := learnt{kind: k, samples: c.kept[k.name], live: c.live[k.name], read: read90(c.kept[k.name])}
		if l.model = fitted(k.name, l.samples); l.model != nil {
			l.curve = tct.Of(l.model)
			l.noise = noise(l.curve, l.samples)
		}
		l.outside = crossValidate(k.name, l.samples)
		l.made = scored(l.samples, func(s sample) float64 { return s.Expected })
		all[i] = l
	}
	return all
}

// fitted passes samples through the slotter's window to its fit. Nothing
// changes in the midst of the tasks, so there is no watch for drift here.
func fitted(name string, samples []sample) *subjects.Fitted {
	var window fit.Window
	for _, s := range samples {
		window.Add(s.Sample)
	}
	result, ok := fit.Fit(window.Samples())
	if !ok {
		return nil
	}
	return result.Event(name, window.Count())
}

// folds of the rounds for crossValidate.
const folds = 5

// crossValidate scores predictions, from the residual known at the assignment,
// by models of the other rounds only. Whole rounds are left out: tasks that ran
// side by side share the load's fluctuations.
func crossValidate(name string, samples []sample) score {
	var predictions [folds]*tct.Curve
	for f := range predictions {
		others := slices.DeleteFunc(slices.Clone(samples), func(s sample) bool { return s.round%folds == f })
		if model := fitted(name, others); model != nil {
			predictions[f] = tct.Of(model)
		}
	}
	return scored(samples, func(s sample) float64 {
		if curve := predictions[s.round%folds]; curve != nil {
			return curve.Seconds(s.Known)
		}
		return 0
	})
}

// score is the error of predictions (MIMP, equations 8 and 9).
type score struct {
	n             int
	nrmse         float64 // of the range observed
	over          float64 // share predicted too long
	overBy, under float64 // by how much on average, as a share of the time observed
}

// scored compares predictions with what was observed. A prediction of 0 is
// none.
func scored(samples []sample, predict func(sample) float64) (s score) {
	squares, low, high := 0.0, math.Inf(1), 0.0
	overs := 0
	for _, x := range samples {
		p := predict(x)
		if p == 0 {
			continue
		}
		s.n++
		squares += (p - x.Seconds) * (p - x.Seconds)
		low, high = min(low, x.Seconds), max(high, x.Seconds)
		if by := p/x.Seconds - 1; by > 0 {
			overs++
			s.overBy += by
		} else {
			s.under -= by
		}
	}
	if s.n == 0 {
		return s
	}
	if high > low {
		s.nrmse = math.Sqrt(squares/float64(s.n)) / (high - low)
	}
	s.over = float64(overs) / float64(s.n)
	s.overBy /= float64(max(overs, 1))
	s.under /= float64(max(s.n-overs, 1))
	return s
}

// noise is how tasks at the same mean residual differ.
func noise(curve *tct.Curve, samples []sample) float64 {
	sum, squares, n := 0.0, 0.0, float64(len(samples))
	for _, s := range samples {
		x := math.Log(s.Seconds / curve.Seconds(s.Residual))
		sum, squares = sum+x, squares+x*x
	}
	return math.Sqrt(max(squares-sum*sum/n, 0) / max(n-1, 1))
}

// idleEnough is the least mean residual of a run that stands for an idle core.
const idleEnough = 0.8

// read90 is the ninetieth percentile of the read rate on an idle core (MIMP, equation 5): of its
// own seconds where they were measured, else over the run.
func read90(samples []sample) float64 {
	var rates []float64
	for _, s := range samples {
		if s.Residual >= idleEnough {
			rates = append(rates, max(s.Read, s.Bytes/s.Seconds))
		}
	}
	if len(rates) == 0 {
		return 0
	}
	slices.SortFunc(rates, cmp.Compare[float64])
	return rates[min(len(rates)*9/10, len(rates)-1)]
}
