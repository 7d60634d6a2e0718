package fit

import (
	"math"

	"lull/subjects/tct"
)

// Score says how well a curve predicts samples.
type Score struct {
	RMSE  float64 // seconds (equation 8)
	NRMSE float64 // RMSE over the range of the times observed (equation 9)
	Over  float64 // share predicted too long
	Under float64 // share predicted too short
}

// Evaluate scores a curve at the residuals known when the tasks were assigned:
// scored at the mean residual of the run, a model looks better than any
// prediction that was made with it. Without samples the score is zero; if all
// took the same time, NRMSE is over that time.
func Evaluate(curve *tct.Curve, samples []Sample) Score {
	if len(samples) == 0 {
		return Score{}
	}
	squares, over, under := 0.0, 0, 0
	low, high := math.Inf(1), 0.0
	for _, s := range samples {
		predicted := curve.Seconds(s.Known)
		squares += (predicted - s.Seconds) * (predicted - s.Seconds)
		low, high = min(low, s.Seconds), max(high, s.Seconds)
		switch {
		case predicted > s.Seconds:
			over++
		case predicted < s.Seconds:
			under++
		}
	}
	n, span := float64(len(samples)), high-low
	if span == 0 {
		span = high
	}
	rmse := math.Sqrt(squares / n)
	return Score{RMSE: rmse, NRMSE: rmse / span, Over: float64(over) / n, Under: float64(under) / n}
}
