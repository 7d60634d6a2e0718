package series

import "time"

// Window returns the stretch of whole days up to end by which a tenant is judged. first is the
// start of the series. The window ends at the last midnight UTC, and has as many days as there are,
// at most Days, such that no factor of its length is above 7. It is empty before the first whole
// day.
func Window(first, end time.Time) (start, until time.Time) {
	until = end.UTC().Truncate(Day)
	days := min(int(until.Sub(first)/Day), Days)
	for days > 1 && !smooth(days) {
		days--
	}
	return until.Add(-time.Duration(max(days, 0)) * Day), until
}

// smooth reports whether a Fourier transform of so many days is fast. The samples of a day
// add factors 2, 3 and 5 alone, at any step that divides an hour.
func smooth(n int) bool {
	for _, p := range []int{2, 3, 5, 7} {
		for n%p == 0 {
			n /= p
		}
	}
	return n == 1
}
