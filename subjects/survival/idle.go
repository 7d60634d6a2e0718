package survival

import (
	"math"
	"time"

	"lull/subjects/profile"
)

// weekHours is the number of hours after which a profile repeats.
const weekHours = 7 * 24

// Outlook answers what a tenant leaves idle between two times: what promises beyond the next
// minutes are made of.
type Outlook struct {
	own   *profile.Profile
	until [weekHours + 1]float64 // usage expected from the week's first hour on, summed up
}

// NewOutlook is the outlook of a tenant's profile, which must have passed Check.
func NewOutlook(own *profile.Profile) *Outlook {
	o := &Outlook{own: own}
	for hour := range weekHours {
		o.until[hour+1] = o.until[hour] + own.Expect(time.Unix(int64(hour)*3600, 0))
	}
	return o
}

// Idle returns the mean share of the cores that the tenant leaves idle between two times, and a
// share that it exceeds in 19 of 20 cases. deviation is by how much usage is above the profile now,
// see Profile.Deviation; it fades. Unknown time is not idle.
func (o *Outlook) Idle(now, from, until time.Time, deviation float64) (mean, low float64) {
	hours := until.Sub(from).Hours()
	if hours <= 0 {
		from, hours = until.Add(-time.Minute), 1.0/60
	}
	used := (o.sum(from.Add(time.Duration(hours*float64(time.Hour)))) - o.sum(from)) / hours
	begin := max(from.Sub(now).Hours(), 0)
	used += deviation * profile.Carried(begin, begin+hours)
	used = min(max(used, 0), 1)
	return 1 - used, max(0, 1-used-o.miss(hours))
}

// sum is the usage expected from the start of 1970 until a time, in hours of all cores.
func (o *Outlook) sum(at time.Time) float64 {
	seconds := at.Unix()
	hour := floor(seconds, 3600)
	week := floor(hour, weekHours)
	in := hour - week*weekHours
	part := (float64(seconds-hour*3600) + float64(at.Nanosecond())/1e9) / 3600
	return float64(week)*o.until[weekHours] + o.until[in] + part*(o.until[in+1]-o.until[in])
}

// miss is by how much usage may exceed what is expected over so many hours, linear in the
// logarithm of the length between those known.
func (o *Outlook) miss(hours float64) float64 {
	of := o.own.Miss
	if len(of) == 0 {
		return 1
	}
	spans := profile.Spans
	for i, b := range of {
		span := float64(spans[i])
		if hours > span {
			continue
		}
		if i == 0 {
			return profile.Unpack(b)
		}
		below := float64(spans[i-1])
		part := math.Log(hours/below) / math.Log(span/below)
		return profile.Unpack(of[i-1]) + part*(profile.Unpack(b)-profile.Unpack(of[i-1]))
	}
	return profile.Unpack(of[len(of)-1])
}
