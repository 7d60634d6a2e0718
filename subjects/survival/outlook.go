package survival

import (
	"time"

	"lull/subjects/profile"
)

// weekHours is the number of hours after which a profile repeats.
const weekHours = 7 * 24

// Outlook answers by how much a tenant's usage differs from its long-run mean between two times. Promises
// beyond the next minutes are made of that.
type Outlook struct {
	own   *profile.Profile
	trust float64
	until [weekHours + 1]float64 // usage expected from the week's first hour on, summed up
}

// NewOutlook is the outlook of a tenant's profile, which must have passed Check.
func NewOutlook(own *profile.Profile) *Outlook {
	o := &Outlook{own: own, trust: trust(own)}
	for hour := range weekHours {
		o.until[hour+1] = o.until[hour] + own.Expect(time.Unix(int64(hour)*3600, 0))
	}
	return o
}

// trust is the weight of the hours of the day against the long-run mean: how sure the pattern is. The day of
// an unpredictable tenant says nothing.
func trust(p *profile.Profile) float64 {
	if len(p.Hours) == 0 || p.Pattern == profile.Unpredictable {
		return 0
	}
	return p.Confidence
}

// HasPattern reports whether the hours of the day tell more than the long-run mean.
func (o *Outlook) HasPattern() bool { return o.trust > 0 }

// Average is the share of the cores that the tenant leaves idle on average.
func (o *Outlook) Average() float64 { return 1 - o.own.Average }

// Above returns by how much the mean usage between two times is expected to be above that of the whole
// week, as a share of the cores. It is negative at night, and shrunk to 0 where the pattern is not sure.
//
// A host of the tenant with some mean of its own is expected to leave that mean less Above.
func (o *Outlook) Above(from, until time.Time) float64 {
	hours := until.Sub(from).Hours()
	if o.trust <= 0 || hours <= 0 {
		return 0
	}
	return o.trust * ((o.sum(until)-o.sum(from))/hours - o.until[weekHours]/weekHours)
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
