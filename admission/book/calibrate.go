package book

import (
	"slices"

	"lull/admission/span"
)

const (
	// Memory is how many outcomes are remembered: a few hours of a busy pool.
	Memory = 64
	// latest is how many of them decide what tasks take now. At nine in ten of these, four slow
	// outcomes raise the margin.
	latest = 32
	// Enough is the number of outcomes that must be known before the margin moves:
	// one bad job proves nothing.
	Enough = 8
	// EnoughBounds is the least number of outcomes n for which a two-sided
	// interval that covers nine in ten exists: 0.05·(n+1) ≥ 1.
	EnoughBounds = 19
	// MaxMargin bounds what recalibration adds: predictions that are off by
	// more than three times are no predictions, and drift says so.
	MaxMargin = 2.0
	// relax is how much of the margin one outcome may take back.
	relax = 0.02
	// blame is the least, and maxBlame the most, that one broken promise adds. credit is the least
	// that a kept one takes back. They balance when one promise in a hundred is broken.
	blame, maxBlame = 0.05, 0.5
	credit          = blame / 100
	// fading is the share of Calibration.Broken that a kept promise takes back, if
	// that is more than credit. Without it, the margin would stay up for a day after
	// a spike of some primaries.
	fading = 0.01
)

// ratios are the last measured values, each divided by the predicted one, oldest first.
type ratios []float64

func (r *ratios) add(x float64) {
	if len(*r) == Memory {
		*r = slices.Delete(*r, 0, 1)
	}
	*r = append(*r, span.Round(min(max(x, 0), 1e6), 1e4))
}

// rank returns the k-th smallest, k counting from 1.
func (r ratios) rank(k int) float64 {
	sorted := slices.Sorted(slices.Values(r))
	return sorted[min(max(k, 1), len(sorted))-1]
}

// lately returns the factor that would have covered nine in ten of the latest outcomes.
func (r ratios) lately() float64 {
	last := r[max(len(r)-latest, 0):]
	return last.rank((9*len(last) + 9) / 10)
}

// Bounds returns values between which the next outcome lies nine times in ten, if it is of the same
// kind as those remembered: the ranks 0.05·(n+1) and 0.95·(n+1) of split conformal prediction
// (Vovk et al., Algorithmic Learning in a Random World, 2005). ok is false while fewer than EnoughBounds
// are remembered.
func (r ratios) Bounds() (low, high float64, ok bool) {
	n := len(r)
	if n < EnoughBounds {
		return 0, 0, false
	}
	return r.rank((n + 1) / 20), r.rank((19*(n+1) + 19) / 20), true
}

// Calibration is what earlier promises taught. It follows from the log alone,
// so every instance promises alike.
type Calibration struct {
	// Service has ratios of jobs' service: the sum of the seconds that their tasks took over the
	// predicted sum, over how much that varies by itself. It leaves out the time that a job waits:
	// the slotter makes a job wait on purpose while its deadline allows, and later jobs may push it.
	Service ratios `msgpack:"service"`
	// Finish are ratios of the time to the end, waiting included.
	Finish ratios `msgpack:"finish"`
	// Broken is the part of the margin that broken promises ask for.
	Broken float64 `msgpack:"broken"`
	// Blamed is when a broken promise last raised Broken, Unix nanoseconds.
	Blamed int64   `msgpack:"blamed"`
	Margin float64 `msgpack:"margin"`
}

// learn moves the margin to the greater of two demands.
//
// What tasks take: the factor that would have covered nine in ten of the latest outcomes. It rises
// at once, and falls by a fiftieth with each outcome: a promise that is too cautious costs less
// than one that is broken. How much tasks vary by themselves is taken out, because rehearsals vary
// them.
//
// What promises are worth: each broken one adds the share by which it was late, each kept one takes a
// little back. So in the long run one in a hundred is broken, whatever the cause (Gibbs and
// Candès, Adaptive conformal inference under distribution shift, 2021).
func (c *Calibration) learn(o outcome) {
	c.Service.add(o.service)
	c.judge(o)
	c.Broken = span.Round(min(max(c.Broken, 0), MaxMargin), 1e4)
	if len(c.Service) < Enough {
		return
	}
	tasks := min(max(c.Service.lately()-1, 0), MaxMargin)
	c.Margin = span.Round(max(tasks, c.Broken, c.Margin-relax), 1e4)
}

// outcome is what became of a promise.
type outcome struct {
	service     float64 // what its tasks took over what was predicted, divided by variance.Ninetieth
	over        float64 // the time that it took over the time it was given
	made, ended int64   // Unix nanoseconds
}

// judge moves Broken by an outcome. A broken promise that was made before Blamed does not count: it had
// an older margin, and says nothing about the present one. So promises that break together, which
// mostly have one cause, raise Broken once.
func (c *Calibration) judge(o outcome) {
	switch {
	case o.over <= 1:
		c.Broken -= max(credit, fading*c.Broken)
	case o.made >= c.Blamed:
		c.Broken += min(max(o.over-1, blame), maxBlame)
		c.Blamed = o.ended
	}
}
