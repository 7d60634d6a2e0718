package harm

import "time"

// hours is the number of last hours that an Account keeps apart.
const hours = 24

// Account is what one tenant's primary gave to batch work on one host, and how long it was delayed.
type Account struct {
	Tenant string // "" for hosts that do not say
	Host   string
	Sensor string // that measured the delay last, "" for none
	Since  int64  // when it began
	Total  Sum

	last int64 // hour of the newest in days, since 1970
	days [hours]Sum
}

// Day is what the hours of the last day add up to, the present one included.
func (t *Account) Day(now time.Time) (sum Sum) {
	hour := now.Unix() / 3600
	for h := max(hour, t.last) - hours + 1; h <= t.last; h++ {
		if h >= 0 && h > t.last-hours {
			sum.Add(t.days[h%hours])
		}
	}
	return sum
}

// add counts an interval's harm at a time of the log.
func (t *Account) add(now int64, s Sum) {
	hour := max(now/int64(time.Hour), t.last)
	for empty := max(t.last, hour-hours) + 1; empty <= hour; empty++ {
		t.days[empty%hours] = Sum{}
	}
	t.last = hour
	t.days[hour%hours].Add(s)
	t.Total.Add(s)
}

// rewind moves the hour in which something was last counted to the present one.
func (t *Account) rewind(now int64) {
	hour := now / int64(time.Hour)
	if t.last <= hour {
		return
	}
	sum := t.days[t.last%hours]
	t.days[t.last%hours] = Sum{}
	t.days[hour%hours].Add(sum)
	t.last = hour
}
