package facts

import (
	"lull/subjects/tct"
	"time"
)

const (
	// momentary is the longest predicted time of a task that may wait on a host for a slot there.
	// Through the log, the next task starts some 1.5 ms after the end of the last one on an idle
	// machine (0.3 to append the end, 0.5 to assign, 0.7 to start). On one with a busy disk and
	// busy cores it is 10 to 15 ms (trace of test/bench files), a fifth of a slot's time with tasks
	// of 50 ms. Above 100 ms it does not pay to bind a task to a host before it is known which slot
	// is free first: with four places ahead a slot, it would wait for more than 400 ms there.
	momentary = 0.1 // seconds
	// Overdue is the age of an attempt at which its host is no longer trusted
	// to be done in a moment, whatever was predicted.
	Overdue = int64(time.Second)
)

// Brief reports whether a task is known to be over in a moment.
func Brief(c *tct.Curve, residual float64) bool { return Within(momentary, c, residual) }

// BriefAt is brief at a step of residual.
func BriefAt(c *tct.Curve, step int) bool { return c.Fitted && c.At(step) <= momentary }

// Within reports whether a task is known to take no longer than some seconds. An estimate
// that no task has tested does not count as known.
func Within(seconds float64, c *tct.Curve, residual float64) bool {
	return c.Fitted && c.Seconds(residual) <= seconds
}

// ResidualAt is the residual that a step stands for.
func ResidualAt(step int) float64 { return float64(step) / tct.Steps }
