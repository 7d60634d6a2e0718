// Package humane writes times and amounts the way people say them.
package humane

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/dustin/go-humanize"
)

// endless is longer than any span that a document may ask for. Predictions use such spans for
// what has no end in sight.
const endless = 20 * 365 * 24 * time.Hour

// Span is a length of time in its two largest units: "20 ms", "0.4 s", "12 s",
// "3m 20s", "2h 05m", "3d 4h".
func Span(d time.Duration) string {
	switch d = max(d, 0); {
	case d > endless:
		return "an unknown time"
	case 0 < d && d < 100*time.Millisecond:
		return fmt.Sprintf("%d ms", max(d/time.Millisecond, 1))
	case d < 10*time.Second:
		return strconv.FormatFloat(d.Round(100*time.Millisecond).Seconds(), 'f', -1, 64) + " s"
	case d < time.Minute:
		return fmt.Sprintf("%d s", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm %02ds", d/time.Minute, d%time.Minute/time.Second)
	case d < 24*time.Hour:
		return fmt.Sprintf("%dh %02dm", d/time.Hour, d%time.Hour/time.Minute)
	}
	return fmt.Sprintf("%dd %dh", d/(24*time.Hour), d%(24*time.Hour)/time.Hour)
}

// Seconds is Span of a number of seconds. What is no number has no end in sight.
func Seconds(s float64) string {
	if math.IsNaN(s) {
		s = math.Inf(1)
	}
	return Span(time.Duration(min(s, 2*endless.Seconds()) * float64(time.Second)))
}

// When is a time seen from now: "in 3m 20s", "12 s ago"; "-" for no time.
func When(t, now time.Time) string {
	switch {
	case t.IsZero():
		return "-"
	case t.After(now):
		return "in " + Span(t.Sub(now))
	}
	return Span(now.Sub(t)) + " ago"
}

// Stamp is a time as people read it, with its zone: "25 Nov 14:03:20 UTC"; "" for no time.
func Stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format("2 Jan 15:04:05 MST")
}

// Clock is a time of day in now's zone, with the day if it is not today's: "14:03:20", "25 Nov 14:03:20".
func Clock(t, now time.Time) string {
	t = t.In(now.Location())
	if t.Year() == now.Year() && t.YearDay() == now.YearDay() {
		return t.Format(time.TimeOnly)
	}
	return t.Format("2 Jan 15:04:05")
}

// Slack says how a predicted end lies to a deadline.
func Slack(seconds float64) string {
	if seconds < 0 {
		return Seconds(-seconds) + " after the deadline"
	}
	return Seconds(seconds) + " before the deadline"
}

// Unix is the time of Unix nanoseconds, zero for 0.
func Unix(nanoseconds int64) time.Time {
	if nanoseconds == 0 {
		return time.Time{}
	}
	return time.Unix(0, nanoseconds)
}

// Bytes is an amount of memory or data: "82 MB".
func Bytes(n int64) string { return humanize.Bytes(uint64(max(n, 0))) }

// Count is n with thousands apart and its noun, in the plural unless n is 1.
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return humanize.Comma(int64(n)) + " " + noun
}

// Rate is bytes a second: "20 MB/s".
func Rate(bytes float64) string { return Bytes(int64(min(bytes, 1<<62))) + "/s" }

// mostShare is more than any share that tells a reader something.
const mostShare = 1e6

// Percent is a share of one in percent: "12%". What is no number, or beyond all measure, is "unknown".
func Percent(share float64) string {
	if !(math.Abs(share) <= mostShare) { // so written, what is no number is beyond it
		return "unknown"
	}
	return fmt.Sprintf("%.0f%%", 100*share)
}
