package slotter

import (
	"time"

	"lull/subjects/tct"
)

const (
	// momentary is the longest predicted time of a task that may wait on a host
	// for a slot there. From a task's end to the next one's start through the
	// log it is some 1.5 ms on an idle machine (0.3 to say the end, 0.5 to assign, 0.7 to
	// start), but 10 to 15 on one with a busy disk and busy cores (trace of test/bench files):
	// a fifth of a slot's time with tasks of 50 ms. Beyond 100 ms it is not worth binding a task to a host before it is known
	// which slot is free first: with four places ahead a slot, it would wait for more than
	// 400 ms there.
	momentary = 0.1 // seconds
	// overdue is the age of an attempt at which its host is no longer trusted
	// to be done in a moment, whatever was predicted.
	overdue = int64(time.Second)
)

// brief reports whether a task is known to be over in a moment.
func brief(c *tct.Curve, residual float64) bool { return within(momentary, c, residual) }

// within reports whether a task is known to take no longer than some seconds. An estimate
// that no task has tested does not count as known.
func within(seconds float64, c *tct.Curve, residual float64) bool {
	return c.Fitted && c.Seconds(residual) <= seconds
}

// mayWait reports whether a task may wait on the host for one of its slots: it
// has a place ahead, and all that it holds is over in a moment. What is behind
// a long task would only be kept from other hosts.
func (r *round) mayWait(h *host) bool {
	return 0 < h.slots && h.slots <= h.busy && h.busy < len(h.taken) && h.brief && r.now-h.oldest < overdue
}

// mayRefill reports whether the host's places ahead are worth filling: when half
// of them are empty. Filled one by one, each as it empties, they would cost a
// batch of the log a task instead of one for several, and nothing runs earlier.
func (r *round) mayRefill(h *host) bool {
	return r.mayWait(h) && 2*(len(h.taken)-h.busy) >= len(h.taken)-h.slots
}
