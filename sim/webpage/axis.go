package webpage

import (
	"math"
	"strconv"
	"time"
)

// tick is a mark on an axis.
type tick struct {
	at    float64
	label string
}

// even returns about four marks at round values from 0 to most.
func even(most float64) []tick {
	if !(most > 0) {
		most = 1
	}
	step := round(most / 4)
	var ticks []tick
	for i := 0; float64(i)*step <= most*1.001; i++ {
		at := float64(i) * step
		ticks = append(ticks, tick{at, strconv.FormatFloat(at, 'g', 6, 64)})
	}
	return ticks
}

// round returns the least value of 1, 2 or 5 times a power of ten that is not below v.
func round(v float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= v*0.999 {
			return m * power
		}
	}
	return 10 * power
}

// spans are the distances that marks on an axis of time may have.
var spans = []time.Duration{
	time.Second, 5 * time.Second, 15 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour,
	3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour, 2 * 24 * time.Hour, 7 * 24 * time.Hour,
	28 * 24 * time.Hour, 91 * 24 * time.Hour, 365 * 24 * time.Hour,
}

// clock returns at most n marks over a span of time.
func clock(span time.Duration, n int) []tick {
	step := spans[len(spans)-1]
	for i := len(spans) - 1; i >= 0 && span/spans[i] < time.Duration(n); i-- {
		step = spans[i]
	}
	var ticks []tick
	for at := time.Duration(0); at <= span && len(ticks) <= 2*n; at += step {
		ticks = append(ticks, tick{at.Seconds(), brief(at)})
	}
	return ticks
}

// brief returns a time in its two largest units: 90 s is "1 min 30 s".
func brief(d time.Duration) string {
	parts := []struct {
		unit time.Duration
		name string
	}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "min"}, {time.Second, "s"}}
	for i, p := range parts {
		if d < p.unit {
			continue
		}
		text := strconv.FormatInt(int64(d/p.unit), 10) + " " + p.name
		if rest := d % p.unit; i+1 < len(parts) && rest >= parts[i+1].unit {
			text += " " + strconv.FormatInt(int64(rest/parts[i+1].unit), 10) + " " + parts[i+1].name
		}
		return text
	}
	if d <= 0 {
		return "0"
	}
	return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
}

// decades returns the marks of a logarithmic axis of seconds.
func decades(least, most float64) []tick {
	names := map[int]string{-3: "1 ms", -2: "10 ms", -1: "0.1 s", 0: "1 s", 1: "10 s", 2: "100 s", 3: "17 min", 4: "2.8 h", 5: "28 h", 6: "12 d", 7: "116 d"}
	var ticks []tick
	for e := int(math.Ceil(math.Log10(least) - 0.001)); math.Pow(10, float64(e)) <= most*1.001; e++ {
		ticks = append(ticks, tick{math.Pow(10, float64(e)), names[e]})
	}
	return ticks
}
