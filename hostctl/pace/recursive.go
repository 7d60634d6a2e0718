package pace

import "math"

const (
	// forgetting weighs a sample 0.98^n after n more: it has half its weight
	// after 34 samples, seven seconds.
	forgetting = 0.98
	// moved is by how much of its mean the cap must be away from it for a
	// sample to teach anything.
	moved = 0.03
	// widest bounds the covariance, in units of what it begins with.
	widest = 10.0
)

// Tracker follows the model of one task while it runs, by recursive least squares
// with exponential forgetting. The estimate stays within the Robust margin of the
// model that it began with: that is where the gains hold.
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

// Update takes in that throughput went from before to now, in bytes/s, under a
// cap in cores. A cap that stands still tells nothing, and forgetting then would
// blow the covariance up until the first noise moves the estimate anywhere: such
// samples are passed over, the covariance left as it is.
func (t *Tracker) Update(before, cap, now float64) {
	if !t.excited(cap) {
		return
	}
	x, y := before/t.unit, cap
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

// excited reports whether the cap is away from where it mostly is.
func (t *Tracker) excited(cap float64) bool {
	if t.mean < 0 {
		t.mean = cap
	}
	away := math.Abs(cap-t.mean) > moved*max(t.mean, Least)
	t.mean += 0.1 * (cap - t.mean)
	return away
}

// bound keeps estimate and covariance where they make sense.
func (t *Tracker) bound() {
	if trace := t.paa + t.pbb; trace > widest*0.02 {
		shrink := widest * 0.02 / trace
		t.paa, t.pab, t.pbb = shrink*t.paa, shrink*t.pab, shrink*t.pbb
	}
	a, b := t.from.near(t.a, t.b*t.unit)
	inside := a >= t.a && a <= t.a && b >= t.b*t.unit*(1-1e-9) && b <= t.b*t.unit*(1+1e-9)
	t.a, t.b = a, b/t.unit
	if t.border++; inside {
		t.border = 0
	}
}

// Astray reports whether the task has long behaved as no model within the margin
// does: its type is to be identified again.
func (t *Tracker) Astray() bool { return t.border >= 2*patience }
