package learn

import (
	"math"
	"slices"

	"lull/subjects/profile"
)

const (
	// ageDays is how many days reduce a day's weight to 1/e. sameWeekday is the gain of the same
	// day of the last two weeks. otherKind is the part of a working day's weight that counts for a
	// weekend with its own hours, and the other way around. The values are in the middle of wide
	// ranges that do about as well on months of public series. With ageDays at most 4, the last
	// three days have more than half of the weight, so that an hour's shift of the clocks is
	// forgotten after them.
	ageDays     = 3.0
	sameWeekday = 0.25
	otherKind   = 0.15
)

// expected is the usage to expect in each hour of a day, packed: the weighted median of the
// same hour of past days.
func (l *Learner) expected(r rows) []byte {
	days := l.hours.Days()
	out := make([]byte, r.count())
	for row := range out {
		l.median.clear()
		for day := range days {
			weight := math.Exp(-float64(days-1-day) / ageDays)
			if back := days - day; back == 7 || back == 14 {
				weight += sameWeekday
			}
			if r.weekend && r.free(day) != (row >= 24) {
				weight *= otherKind
			}
			l.median.add(l.hours.Mean[24*day+row%24], weight)
		}
		out[row] = profile.Pack(l.median.value())
	}
	return out
}

// weightedMedian finds the value with half of the weight on either side.
type weightedMedian struct {
	values []weighted
	total  float64
}

type weighted struct{ value, weight float64 }

func (m *weightedMedian) clear() { m.values, m.total = m.values[:0], 0 }

// add passes over gaps.
func (m *weightedMedian) add(value, weight float64) {
	if value == value {
		m.values = append(m.values, weighted{value, weight})
		m.total += weight
	}
}

// value is NaN without values.
func (m *weightedMedian) value() float64 {
	slices.SortFunc(m.values, func(a, b weighted) int {
		if a.value < b.value {
			return -1
		}
		return 1
	})
	sum := 0.0
	for _, v := range m.values {
		if sum += v.weight; sum >= m.total/2 {
			return v.value
		}
	}
	return math.NaN()
}

// misses fills in by how much the mean usage of a span exceeded the profile's hours, at the 95th
// percentile of all spans of the window, and how far it ever strayed either way.
func (l *Learner) misses(p *profile.Profile, r rows) {
	over := make([]float64, 1, len(l.hours.Mean)+1)
	sum := 0.0
	for i, v := range l.hours.Mean {
		if expect := profile.Unpack(p.Hours[r.of(i)]); v == v && expect == expect {
			sum += v - expect
		}
		over = append(over, sum) // a gap exceeds nothing
	}
	means := make([]float64, 0, len(over))
	for _, span := range profile.Spans {
		means = spans(means, over, span)
		slices.Sort(means)
		p.Miss = append(p.Miss, profile.PackUp(max(0, means[len(means)*95/100])))
	}
	means = spans(means, over, profile.StrayHours)
	p.Stray = profile.PackUp(max(-slices.Min(means), slices.Max(means), 0))
}

// spans are the means of all spans of so many hours, of sums from the start on.
func spans(into, sums []float64, hours int) []float64 {
	into = into[:0]
	for i := hours; i < len(sums); i++ {
		into = append(into, (sums[i]-sums[i-hours])/float64(hours))
	}
	return into
}
