// Package span counts time in whole microseconds: predicted ends, and amounts of slots' time. Whole
// numbers add up alike in every order, so every instance predicts alike.
package span

import (
	"math"
	"time"
)

// Micros is a span in microseconds, or as much time of slots. Whole numbers
// add up alike in every order; a tiny task still counts for something.
type Micros int64

const (
	// Horizon is as good as never, for spans.
	Horizon = Micros(50 * 365 * 24 * time.Hour / time.Microsecond)
	// Endless is as good as never, for slot time: sums of it do not overflow.
	Endless = Micros(1 << 61)
)

// Plus adds amounts of slot time, never beyond endless.
func Plus(x, y Micros) Micros { return min(x+y, Endless) }

// Of is a number of seconds, rounded up.
func Of(seconds float64) Micros {
	if !(seconds < float64(Horizon)/1e6) { // so written, NaN is never
		return Horizon
	}
	return Micros(math.Ceil(float64(max(seconds, 0) * 1e6)))
}

// SlotTime is n times what one costs, in microseconds, rounded up.
func SlotTime(n int, each float64) Micros {
	total := float64(n) * each
	if !(total < float64(Endless)) {
		return Endless
	}
	return Micros(math.Ceil(total))
}

// Exact is the span in seconds, exactly.
func (m Micros) Exact() float64 { return float64(m) / 1e6 }

// Duration is the span as a time.Duration.
func (m Micros) Duration() time.Duration { return time.Duration(m) * time.Microsecond }

// Seconds is the span in seconds, to a thousandth.
func (m Micros) Seconds() float64 { return Round(float64(m)/1e6, 1e3) }

// Since is the span from one time to a later one, both in Unix nanoseconds.
func Since(from, to int64) Micros { return Micros((to - from) / 1e3) }

// Round keeps so many parts of one.
func Round(x, parts float64) float64 { return math.Round(x*parts) / parts }
