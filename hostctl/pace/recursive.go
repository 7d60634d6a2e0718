package pace

import "math"

const (
	// forgetting is the factor by which each sample reduces the weight of those before.
	// After 34 samples, seven seconds, a sample has half its weight.
	forgetting = 0.98
	// excitation is the relative distance of the cap from its mean above which a sample is
	// used.
	excitation = 0.03
	// maxCovariance bounds the covariance, in units of its initial value.
	maxCovariance = 10.0
)

// Tracker estimates the model of one task while it runs, by recursive least squares with
// exponential forgetting. The estimate stays within the Robust margin of the initial
// model, because the gains are stable only there.
type Tracker struct {
	from Model
	unit float64 // throughput at one core, so that both parameters are near 1
	a, b float64 // b per unit

	// Covariance of the estimate.
	paa, pab, pbb float64
	mean          float64 // of the cap, exponentially weighted
	border        int     // updates in a row that left the margin
}

// NewTracker begins at an identified model.
func NewTracker(m Model) *Tracker {
	unit := m.Steady(1)
	return &Tracker{from: m, unit: unit, a: m.A, b: m.B / unit, paa: 0.01, pbb: 0.01, mean: -1}
}

// Model is the present estimate.
func (t *Tracker) Model() Model {
	m := t.from
	m.A, m.B = t.a, t.b*t.unit
	return m
}

// Update adds a sample: throughput changed from before to now, in bytes/s, under a cap in
// cores. Samples with a constant cap are skipped. They say nothing of the model, and
// forgetting would make the covariance grow until noise alone could move the estimate.
func (t *Tracker) Update(before, cores, now float64) {
	if !t.excited(cores) {
		return
	}
	x, y := before/t.unit, cores
	gx, gy := t.paa*x+t.pab*y, t.pab*x+t.pbb*y
	denominator := forgetting + x*gx + y*gy
	wrong := now/t.unit - t.a*x - t.b*y
	t.a += gx / denominator * wrong
	t.b += gy / denominator * wrong
	t.paa = (t.paa - gx*gx/denominator) / forgetting
	t.pab = (t.pab - gx*gy/denominator) / forgetting
	t.pbb = (t.pbb - gy*gy/denominator) / forgetting
	t.bound()
}

// excited reports whether the cap is far enough from its mean.
func (t *Tracker) excited(cores float64) bool {
	if t.mean < 0 {
		t.mean = cores
	}
	away := math.Abs(cores-t.mean) > excitation*max(t.mean, Least)
	t.mean += 0.1 * (cores - t.mean)
	return away
}

// bound keeps the estimate within the margin and the covariance below its bound.
func (t *Tracker) bound() {
	if trace := t.paa + t.pbb; trace > maxCovariance*0.02 {
		shrink := maxCovariance * 0.02 / trace
		t.paa, t.pab, t.pbb = shrink*t.paa, shrink*t.pab, shrink*t.pbb
	}
	a, b := t.from.near(t.a, t.b*t.unit)
	inside := a >= t.a && a <= t.a && b >= t.b*t.unit*(1-1e-9) && b <= t.b*t.unit*(1+1e-9)
	t.a, t.b = a, b/t.unit
	if t.border++; inside {
		t.border = 0
	}
}

// OutsideMargin reports whether the task has long behaved like no model within the margin. Its
// type is to be identified again.
func (t *Tracker) OutsideMargin() bool { return t.border >= 2*patience }
