package admission

import (
	"math"
	"time"
)

// micros is a span in microseconds, or as much time of slots. Whole numbers
// add up alike in every order; a tiny task still counts for something.
type micros int64

const (
	// horizon is as good as never, for spans.
	horizon = micros(50 * 365 * 24 * time.Hour / time.Microsecond)
	// endless is as good as never, for slot time: sums of it do not overflow.
	endless = micros(1 << 61)
	// none is the deadline of a job without one: behind all others.
	none = int64(math.MaxInt64)
)

// plus adds amounts of slot time, never beyond endless.
func plus(x, y micros) micros { return min(x+y, endless) }

// spanOf is a number of seconds, rounded up.
func spanOf(seconds float64) micros {
	if !(seconds < float64(horizon)/1e6) { // so written, NaN is never
		return horizon
	}
	return micros(math.Ceil(float64(max(seconds, 0) * 1e6)))
}

// slotTime is n times what one costs, in microseconds, rounded up.
func slotTime(n int, each float64) micros {
	total := float64(n) * each
	if !(total < float64(endless)) {
		return endless
	}
	return micros(math.Ceil(total))
}

// exact is the span in seconds, exactly.
func (m micros) exact() float64 { return float64(m) / 1e6 }

func (m micros) duration() time.Duration { return time.Duration(m) * time.Microsecond }
func (m micros) seconds() float64        { return round(float64(m)/1e6, 1e3) }

// since is the span from one time to a later one, both in Unix nanoseconds.
func since(from, to int64) micros { return micros((to - from) / 1e3) }

// round keeps so many parts of one.
func round(x, parts float64) float64 { return math.Round(x*parts) / parts }
