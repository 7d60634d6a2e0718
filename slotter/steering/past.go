package steering

import (
	"cmp"
	"slices"

	"lull/subjects/profile"
)

const (
	// enough is how many jobs must have ended before they decide the thresholds.
	enough = 50
	// remembered is how many of the last ends do.
	remembered = 1000
)

// Ended is a job that has finished.
type Ended struct {
	Seconds float64 `msgpack:"Seconds"` // from its first start to its end
	Work    float64 `msgpack:"Work"`    // core-seconds of its tasks
}

// Past remembers the last jobs that ended. The zero value remembers none.
type Past struct {
	Ends []Ended // in a ring: Next is the oldest once it is full
	Next int
}

// Add remembers an end. What has no length or no work says nothing.
func (p *Past) Add(e Ended) {
	switch {
	case !(e.Seconds > 0) || !(e.Work > 0):
	case len(p.Ends) < remembered:
		p.Ends = append(p.Ends, e)
	default:
		p.Ends[p.Next] = e
		p.Next = (p.Next + 1) % remembered
	}
}

// Thresholds give each length work in proportion to what its preferred classes can harvest,
// in any unit. Before 50 jobs have ended, or when nothing can be harvested, they are Testbed.
func (p *Past) Thresholds(harvest func(profile.Pattern) float64) Thresholds {
	short, medium, long := harvest(preferred(Short)), harvest(preferred(Medium)), harvest(preferred(Long))
	total := short + medium + long
	if len(p.Ends) < enough || !(total > 0) {
		return Testbed
	}
	ends := slices.SortedFunc(slices.Values(p.Ends), func(a, b Ended) int {
		return cmp.Or(cmp.Compare(a.Seconds, b.Seconds), cmp.Compare(a.Work, b.Work))
	})
	work := 0.0
	for _, e := range ends {
		work += e.Work
	}
	return Thresholds{Short: upTo(ends, work*short/total), Long: upTo(ends, work*(short+medium)/total)}
}

// upTo is the length, in seconds, below which the jobs have at most the given work. It is just
// above the longest job if all have it.
func upTo(ends []Ended, work float64) float64 {
	for _, e := range ends {
		if work -= e.Work; work < 0 {
			return e.Seconds
		}
	}
	return ends[len(ends)-1].Seconds + 1
}
