package learn

import "math"

const (
	// leastWeeks is the number of weeks that must agree on their weekends.
	leastWeeks = 3
	// alike is the part of the other weeks' difference that each week must show.
	alike = 0.5
	// leastApart is the difference of an hour's means, as a share of the host's cores, below
	// which it does not matter.
	leastApart = 0.01
)

// rows decides whether weekends have hours of their own: in each week of the window, the weekend
// differs from the other days in the same hours and the same direction. A tenant that rose to
// another level on a Saturday, once, has no such weekends.
func (l *Learner) rows() rows {
	r := rows{first: l.hours.Start.Weekday()}
	weeks := l.hours.Days() / 7
	if weeks < leastWeeks {
		return r
	}
	differences := make([][24]float64, weeks)
	var usual [24]float64
	for week := range differences {
		differences[week] = l.weekendDifference(r, 7*week)
		for h, v := range differences[week] {
			usual[h] += v / float64(weeks)
		}
	}
	most := 0.0
	for _, v := range usual {
		most = max(most, math.Abs(v))
	}
	if most < leastApart {
		return r
	}
	for week := range differences {
		others := usual
		for h, v := range differences[week] {
			others[h] = (others[h]*float64(weeks) - v) / float64(weeks-1)
		}
		if dot(&differences[week], &others) < alike*dot(&others, &others) {
			return r
		}
	}
	r.weekend = true
	return r
}

// weekendDifference is by how much the days off of a week differ from its others, hour by hour. An
// hour that one of the two did not observe differs by nothing.
func (l *Learner) weekendDifference(r rows, first int) (difference [24]float64) {
	for h := range difference {
		var sum, known [2]float64
		for day := first; day < first+7; day++ {
			kind := 0
			if r.isWeekend(day) {
				kind = 1
			}
			if v := l.hours.Mean[24*day+h]; !math.IsNaN(v) {
				sum[kind] += v
				known[kind]++
			}
		}
		if known[0] > 0 && known[1] > 0 {
			difference[h] = sum[1]/known[1] - sum[0]/known[0]
		}
	}
	return difference
}

func dot(a, b *[24]float64) (sum float64) {
	for h := range a {
		sum += a[h] * b[h]
	}
	return sum
}
