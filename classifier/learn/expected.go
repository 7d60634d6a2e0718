package learn

import (
	"math"
	"slices"

	"lull/subjects/profile"
)

const (
	// ageDays is the age in days at which a day's weight is 1/e. sameWeekday is added to the weight of
	// the days one and two weeks before. otherKind is the factor of a working day's weight for the hours
	// of a weekend, and of a weekend day's for those of a working day.
	//
	// The values are in the middle of wide ranges that predict months of public series about equally
	// well. With ageDays at most 4, the last three days have more than half of the weight, so the
	// profile follows three days after the clocks shift by an hour.
	ageDays     = 3.0
	sameWeekday = 0.25
	otherKind   = 0.15
)

// expected returns the usage to expect in each hour of a day, packed: the weighted median of the
// same hour of past days. Where r has weekends, 24 rows for a weekend day follow.
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
			if r.weekend && r.isWeekend(day) != (row >= 24) {
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

// add adds a value, unless it is a gap.
func (m *weightedMedian) add(value, weight float64) {
	if !math.IsNaN(value) {
		m.values = append(m.values, weighted{value, weight})
		m.total += weight
	}
}

// value returns the weighted median, NaN without values.
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

// setMisses sets how far usage was from the expected hours. Miss has for each length of profile.Spans the
// 95th percentile, over all spans of that length in the window, of mean usage less the expectation. Stray
// is the greatest difference, in either direction, over profile.StrayHours.
func (l *Learner) setMisses(p *profile.Profile, r rows) {
	over := make([]float64, 1, len(l.hours.Mean)+1) // sums of usage less the expectation, since the start
	sum := 0.0
	for i, v := range l.hours.Mean {
		if expect := profile.Unpack(p.Hours[r.of(i)]); !math.IsNaN(v) && !math.IsNaN(expect) {
			sum += v - expect
		}
		over = append(over, sum) // a gap adds nothing
	}
	means := make([]float64, 0, len(over))
	for _, span := range profile.Spans {
		means = appendMeans(means, over, span)
		slices.Sort(means)
		p.Miss = append(p.Miss, profile.PackUp(max(0, means[len(means)*95/100])))
	}
	means = appendMeans(means, over, profile.StrayHours)
	p.Stray = profile.PackUp(max(-slices.Min(means), slices.Max(means), 0))
}

// appendMeans writes to into[:0] the means over all spans of a number of hours. sums are cumulative.
func appendMeans(into, sums []float64, hours int) []float64 {
	into = into[:0]
	for i := hours; i < len(sums); i++ {
		into = append(into, (sums[i]-sums[i-hours])/float64(hours))
	}
	return into
}
