// Package usual averages what a host's primary left idle in the last week, so that a prediction for
// tomorrow does not extrapolate the present minute.
//
// It keeps means over ten minutes. Idle is pure; File keeps it on a disk.
package usual

import (
	"fmt"
	"slices"
	"time"

	"lull/subjects"
)

const (
	// Span is the time over which one mean is taken.
	Span = 10 * time.Minute
	// kept is how many means are remembered: a week, with its nights and its weekend.
	kept = int(7 * 24 * time.Hour / Span)
)

// Idle is what was left idle. The zero value has no observations.
type Idle struct {
	spans []span  // oldest first
	cores float64 // core seconds of all spans
	time  float64 // seconds of all spans
}

// span is ten minutes, of which some or all were observed.
type span struct {
	At      int64   `msgpack:"at"`      // number of the span, counted from 1970
	Cores   float64 `msgpack:"cores"`   // core seconds left idle
	Seconds float64 `msgpack:"seconds"` // seconds observed
}

// Add records that cores were idle for the time lasted, which ended at now. It reports whether that
// began a new span. Spans are kept in the order of arrival, not of time: a clock that jumps begins a new
// span and loses none.
func (i *Idle) Add(now time.Time, cores float64, lasted time.Duration) (began bool) {
	at := now.UnixNano() / int64(Span)
	if n := len(i.spans); n == 0 || i.spans[n-1].At != at {
		i.spans, began = append(i.spans, span{At: at}), true
		i.forget()
	}
	last := &i.spans[len(i.spans)-1]
	last.Cores += cores * lasted.Seconds()
	last.Seconds += lasted.Seconds()
	i.cores += cores * lasted.Seconds()
	i.time += lasted.Seconds()
	return began
}

// forget drops the spans beyond a week. It computes the sums anew, so that rounding errors do not
// accumulate.
func (i *Idle) forget() {
	i.spans = slices.Delete(i.spans, 0, max(len(i.spans)-kept, 0))
	i.sum()
}

func (i *Idle) sum() {
	i.cores, i.time = 0, 0
	for _, s := range i.spans {
		i.cores += s.Cores
		i.time += s.Seconds
	}
}

// Mean returns how many cores were left idle on average, and for how long that was observed.
func (i *Idle) Mean() (cores float64, observed time.Duration) {
	if i.time <= 0 {
		return 0, 0
	}
	return i.cores / i.time, time.Duration(i.time * float64(time.Second))
}

// Encode returns what Decode reads.
func (i *Idle) Encode() ([]byte, error) { return subjects.Marshal(i.spans) }

// Decode is the inverse of Encode. It refuses spans that no host can have seen.
func Decode(body []byte) (*Idle, error) {
	i := new(Idle)
	if err := subjects.Unmarshal(body, &i.spans); err != nil {
		return nil, err
	}
	for k, s := range i.spans {
		whole := 10 * Span.Seconds() // more than Span, as a clock may be set back within a span
		if !(s.Seconds >= 0 && s.Seconds <= whole && s.Cores >= 0 && s.Cores <= whole*subjects.MaxCores) {
			return nil, fmt.Errorf("span %d is impossible: %g core seconds idle in %g s", k, s.Cores, s.Seconds)
		}
	}
	i.sum()
	return i, nil
}
