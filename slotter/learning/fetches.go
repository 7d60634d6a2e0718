package learning

import (
	"cmp"
	"fmt"
	"slices"

	"lull/subjects"
)

const (
	// keptFetches is how many of the latest tasks that fetched are kept.
	keptFetches = 64
	// enoughFetches is how many a rate needs.
	enoughFetches = 3
	// minRateChange is by how much the rate differs from the one in the log when it is worth an event.
	minRateChange = 1.5
)

// Fetch is what a task copied from other hosts before it started.
type Fetch struct {
	Bytes   float64 `msgpack:"bytes"`
	Seconds float64 `msgpack:"seconds"`
}

// Fetches are the fetches of the pool's latest tasks, oldest first.
type Fetches []Fetch

// add takes in what a task fetched, if it did.
func (f *Fetches) add(e *subjects.Fetch) (added bool) {
	next := Fetch{float64(e.Copied()), e.Fetching}
	if !next.valid() {
		return false
	}
	if len(*f) == keptFetches {
		*f = slices.Delete(*f, 0, 1)
	}
	*f = append(*f, next)
	return true
}

func (f Fetch) valid() bool { return f.Bytes > 0 && f.Seconds > 0 && f.Bytes/f.Seconds < 1e18 }

// rate is how fast tasks fetch, in bytes/s: half of all bytes came at least as fast. So many small
// fetches, whose time is that of the requests, do not hide how fast large ones are, and a single
// one that hung moves it little. It is 0 while too few are known.
func (f Fetches) rate() float64 {
	if len(f) < enoughFetches {
		return 0
	}
	sorted, all := slices.Clone(f), 0.0
	slices.SortFunc(sorted, func(x, y Fetch) int { return cmp.Compare(y.Bytes/y.Seconds, x.Bytes/x.Seconds) })
	for i := range sorted {
		all += sorted[i].Bytes
	}
	sum := 0.0
	for i := range sorted {
		if sum += sorted[i].Bytes; sum >= all/2 {
			return significant(sorted[i].Bytes / sorted[i].Seconds)
		}
	}
	return 0
}

// differsFrom reports whether the log should get another rate than the one that it has, 0 for none.
func (f Fetches) differsFrom(known float64) bool {
	rate := f.rate()
	return rate > 0 && (rate > known*minRateChange || rate*minRateChange < known)
}

func (f Fetches) check() error {
	if len(f) > keptFetches || slices.ContainsFunc(f, func(one Fetch) bool { return !one.valid() }) {
		return fmt.Errorf("it has more than %d fetches, or one whose bytes or seconds are not positive", keptFetches)
	}
	return nil
}
