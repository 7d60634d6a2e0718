package spectrum

import "slices"

const (
	// leastToDrop is the days from which one of them may be left out.
	leastToDrop = 5
	// alone is how many times as far from the median day an outlier is as the next day.
	alone = 4.0
)

// outlier is the day that differs most from the median day, and whether it stands alone: no
// other differs by nearly as much. A tenant with two such days in a month has them for a
// reason, and keeps both.
func (a *Analyser) outlier(days int) (day int, isAlone bool) {
	usual := a.medianDay(days)
	var most, next float64
	for d := range days {
		distance := 0.0
		for h, v := range a.hours[24*d : 24*d+24] {
			distance += (v - usual[h]) * (v - usual[h])
		}
		switch {
		case distance > most:
			most, next, day = distance, most, d
		case distance > next:
			next = distance
		}
	}
	return day, most > alone*next
}

// replace puts the median day in the place of a day.
func (a *Analyser) replace(day, days int) {
	usual := a.medianDay(days)
	copy(a.hours[24*day:], usual[:])
}

func (a *Analyser) medianDay(days int) (usual [24]float64) {
	for h := range usual {
		a.sorted = a.sorted[:0]
		for d := range days {
			a.sorted = append(a.sorted, a.hours[24*d+h])
		}
		slices.Sort(a.sorted)
		usual[h] = quantile(a.sorted, 0.5)
	}
	return usual
}
