package learn

const (
	// apart is how many times the difference between weekends and other days exceeds what
	// days of a kind differ among themselves. It is the statistic F with 1 and about 26
	// degrees of freedom, of which one in a thousand exceeds 14 by chance.
	apart = 14.0
	// leastFree is how many days off must have been observed.
	leastFree = 4
	// leastApart is the difference of the days' means, as a share of the host's cores, below
	// which it does not matter.
	leastApart = 0.01
)

// rows tells whether weekends stand apart.
func (l *Learner) rows() rows {
	r := rows{first: l.hours.Start.Weekday()}
	var sums, known [2][24]float64
	kind := func(day int) int {
		if r.free(day) {
			return 1
		}
		return 0
	}
	days := l.hours.Days()
	free := 0
	for day := range days {
		k := kind(day)
		free += k
		for h, v := range l.hours.Mean[24*day : 24*day+24] {
			if v == v {
				sums[k][h] += v
				known[k][h]++
			}
		}
	}
	if free < leastFree || days-free < leastFree {
		return r
	}
	var between, most float64
	for h := range 24 {
		work, off := known[0][h], known[1][h]
		if work == 0 || off == 0 {
			continue
		}
		difference := sums[0][h]/work - sums[1][h]/off
		between += difference * difference * work * off / (work + off)
		most = max(most, difference, -difference)
	}
	within := 0.0
	for day := range days {
		k := kind(day)
		for h, v := range l.hours.Mean[24*day : 24*day+24] {
			if v == v {
				off := v - sums[k][h]/known[k][h]
				within += off * off
			}
		}
	}
	r.weekend = most >= leastApart && between*float64(days-2) > apart*within
	return r
}
