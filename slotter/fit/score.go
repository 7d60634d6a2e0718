package fit

import (
	"math"
	"slices"
)

// Score says how well times were predicted.
type Score struct {
	RMSE   float64 // seconds (equation 8)
	NRMSE  float64 // RMSE over the range of the times observed (equation 9)
	Over   float64 // share predicted too long
	Under  float64 // share predicted too short
	OverBy float64 // by how much those were too long, on average, over the time observed
	// UnderBy is by how much the others were too short, likewise.
	UnderBy float64
	// Fast and Slow are the tenth and ninetieth percentile of the time observed
	// over the time predicted.
	Fast, Slow float64
	// Real is how many of the scored predictions were made before their task ran. 0 means that
	// there were too few, and that the score is that of the model on the samples it was fitted to.
	Real int
}

// minReal is how many real predictions make a score.
const minReal = 5

// outcome is a prediction and what came of it, in seconds.
type outcome struct{ predicted, observed float64 }

// evaluate scores p at the residuals known when the tasks were assigned. Scored at the mean
// residual of the run, a model would look better than any prediction made with it. Without samples
// the score is zero. If all took the same time, NRMSE is over that time.
func evaluate(p predictor, samples []Sample) Score {
	outcomes := make([]outcome, len(samples))
	for i := range samples {
		outcomes[i] = outcome{clampSeconds(p.before(&samples[i])), samples[i].Seconds}
	}
	return score(outcomes)
}

// assess scores each sample by the model that stood when its task was assigned,
// which had not seen it. While fewer than five had such a model, it scores p.
func assess(p predictor, samples []Sample) Score {
	outcomes := make([]outcome, 0, len(samples))
	for i := range samples {
		if s := &samples[i]; s.Expected > 0 {
			outcomes = append(outcomes, outcome{s.Expected, s.Seconds})
		}
	}
	if len(outcomes) < minReal {
		return evaluate(p, samples)
	}
	s := score(outcomes)
	s.Real = len(outcomes)
	return s
}

func score(outcomes []outcome) Score {
	if len(outcomes) == 0 {
		return Score{}
	}
	var over, under tally
	squares, low, high := 0.0, math.Inf(1), 0.0
	ratios := make([]float64, len(outcomes))
	for i, o := range outcomes {
		wrong := o.predicted - o.observed
		over.add(wrong / o.observed)
		under.add(-wrong / o.observed)
		squares += wrong * wrong
		low, high = min(low, o.observed), max(high, o.observed)
		ratios[i] = o.observed / o.predicted
	}
	n, span := float64(len(outcomes)), high-low
	if span == 0 {
		span = high
	}
	slices.Sort(ratios)
	rmse := math.Sqrt(squares / n)
	return Score{
		RMSE: rmse, NRMSE: rmse / span, Over: over.n / n, Under: under.n / n, OverBy: over.mean(), UnderBy: under.mean(),
		Fast: quantile(ratios, 0.1), Slow: quantile(ratios, 0.9),
	}
}

// tally is the number and the sum of what is positive.
type tally struct{ n, sum float64 }

func (t *tally) add(x float64) {
	if x > 0 {
		t.n, t.sum = t.n+1, t.sum+x
	}
}

func (t *tally) mean() float64 {
	if t.n == 0 {
		return 0
	}
	return t.sum / t.n
}
