package tct

import (
	"math"
	"slices"
	"time"

	"lull/subjects"
)

const (
	// DefaultEstimate is the time of a task of which nothing is known, on an
	// idle core.
	DefaultEstimate = 60 * time.Second
	// MinSpread is the least range of residuals that says anything about a
	// curve's shape. A model fitted to a narrower one is a point.
	MinSpread = 0.1

	minSeconds = 1e-4 // no process starts and ends faster
	maxSeconds = 1e7  // four months: as good as never, but finite
)

// Curve gives the completion time of one type's tasks at any residual. Make one
// per model with Of or Default; it is read-only and may be shared.
type Curve struct {
	// Fitted says that the curve comes from samples.
	Fitted bool
	// Low and High bound the residuals of the samples, 0 and 0 without any.
	Low, High float64

	seconds [Steps + 1]float32
	norm    [Steps + 1]float32
	least   float32

	whole *Curve // what Whole returns, for tasks of less than a core; else nil
}

// Default returns the curve of a type without a model: its work is conserved, so the time is the
// estimate on an idle core over the residual. No estimate (0) means DefaultEstimate. It overstates
// tasks that wait for anything but CPU, which is the safe side for a promise.
func Default(estimate time.Duration) *Curve {
	if estimate <= 0 {
		estimate = DefaultEstimate
	}
	return tabulateCurve(new(Curve), hyperbola(estimate.Seconds(), 1))
}

// Of returns the curve of a fitted model; Of(nil) is Default(0). Between f.Low and f.High it is
// equation 1.
//
// Below f.Low it is the hyperbola of conserved work through the point at f.Low: exponentials through
// noisy samples at R ≥ 0.6 gave anything from 10 s to 40 days at R = 0.05.
//
// Above f.High it is equation 1 with two limits. It is never faster than conserved work through the point
// at f.High, and it never rises: a model with samples only at R of 0.18–0.33 turned upwards after its last
// sample, from 1.7 s at R = 0.5 to 2.2 s at R = 1.
//
// A model of a single residual (see MinSpread) gives a hyperbola through that point. A model with Drift
// gives Default's hyperbola with f.A seconds on an idle core.
//
// The curve is that of tasks with f.Size bytes of input: see Curves.Of.
func Of(f *subjects.Fitted) *Curve {
	if f == nil {
		return Default(0)
	}
	c := &Curve{Fitted: true, Low: clamp(f.Low, MinResidual, 1), High: clamp(f.High, MinResidual, 1)}
	if f.Drift {
		return tabulateCurve(c, hyperbola(f.A, 1))
	}
	if c.High-c.Low < MinSpread {
		middle := (c.Low + c.High) / 2
		return tabulateCurve(c, hyperbola(TCT(f, middle), middle))
	}
	return tabulateCurve(c, c.bounded(f))
}

// TCT is equation 1 as it stands, in seconds: a·e^(b·r) + c·e^(d·r). Nothing
// bounds it; predictions go through a Curve.
func TCT(f *subjects.Fitted, r float64) float64 {
	return f.A*math.Exp(f.B*r) + f.C*math.Exp(f.D*r)
}

// Seconds is the completion time of a task at residual r. It is positive and
// finite for every r; below MinResidual it is the time at MinResidual.
func (c *Curve) Seconds(r float64) float64 { return float64(c.seconds[Step(r)]) }

// At is Seconds at a step of residual, 0 to Steps.
func (c *Curve) At(step int) float64 { return float64(c.seconds[step]) }

// Least is the shortest completion time at any residual.
func (c *Curve) Least() float64 { return float64(c.least) }

// Norm is the completion time at residual r over that on an idle core
// (equation 2). It compares what a low residual costs different types.
func (c *Curve) Norm(r float64) float64 { return float64(c.norm[Step(r)]) }

// NormAt is Norm at a step of residual, 0 to Steps.
func (c *Curve) NormAt(step int) float64 { return float64(c.norm[step]) }

// bounded returns equation 1 within the samples, and what Of describes outside.
// Call the function with rising residuals only: it remembers its least result.
func (c *Curve) bounded(f *subjects.Fitted) func(float64) float64 {
	below := hyperbola(TCT(f, c.Low), c.Low)
	least := TCT(f, c.High)
	above := hyperbola(least, c.High)
	return func(r float64) float64 {
		switch {
		case r < c.Low:
			return below(r)
		case r > c.High:
			least = min(least, max(TCT(f, r), above(r)))
			return least
		}
		return TCT(f, r)
	}
}

// hyperbola is the curve of conserved work through a point.
func hyperbola(seconds, at float64) func(float64) float64 {
	return func(r float64) float64 { return seconds * at / r }
}

// tabulateCurve fills c: the slotter looks a time up millions of times a second,
// and an exponential costs ten times a load.
func tabulateCurve(c *Curve, seconds func(r float64) float64) *Curve {
	for i := range c.seconds {
		c.seconds[i] = quantise(seconds(float64(max(i, minStep)) / Steps))
	}
	c.least = slices.Min(c.seconds[:])
	for i := range c.norm {
		c.norm[i] = quantise(float64(c.seconds[i]) / float64(c.seconds[Steps]))
	}
	return c
}

// quantise bounds a time and rounds it to sixteen significant bits, 0.002 %.
// NaN becomes maxSeconds.
func quantise(seconds float64) float32 {
	if math.IsNaN(seconds) {
		seconds = maxSeconds
	}
	const spare = 24 - 16
	bits := math.Float32bits(float32(clamp(seconds, minSeconds, maxSeconds)))
	return math.Float32frombits((bits + 1<<(spare-1)) >> spare << spare)
}
