package series

import (
	"math"
	"slices"
)

// Fill replaces the gaps among values, perDay of them a day, and returns how many there were.
// A gap becomes the mean of what is known of the same time on other days. Where no day knows
// that time, it becomes the last known value before it, or the first after it. Values that
// hold nothing but gaps are left as they are.
func Fill(values []float64, perDay int) int {
	gaps := 0
	for _, v := range values {
		if math.IsNaN(v) {
			gaps++
		}
	}
	if gaps == 0 || gaps == len(values) {
		return gaps
	}
	usual := dayOf(values, perDay)
	bridge(usual)
	for i, v := range values {
		if math.IsNaN(v) {
			values[i] = usual[i%perDay]
		}
	}
	return gaps
}

// dayOf is the mean day, NaN at times that no day knows.
func dayOf(values []float64, perDay int) []float64 {
	sums, known := make([]float64, perDay), make([]float64, perDay)
	for i, v := range values {
		if !math.IsNaN(v) {
			sums[i%perDay] += v
			known[i%perDay]++
		}
	}
	for i := range sums {
		sums[i] /= known[i] // 0/0 is NaN: nothing known
	}
	return sums
}

// bridge gives each unknown time of a day what was known before it, around midnight too.
func bridge(day []float64) {
	from := slices.IndexFunc(day, func(v float64) bool { return !math.IsNaN(v) })
	if from < 0 {
		return
	}
	last := day[from]
	for i := range day {
		at := (from + i) % len(day)
		if math.IsNaN(day[at]) {
			day[at] = last
		}
		last = day[at]
	}
}
