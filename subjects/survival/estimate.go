package survival

import (
	"math"
	"time"

	"lull/subjects/profile"
)

const (
	// bandwidth of the kernel that weighs past moments is a difference between the square roots of two levels, as a multiple of the room's square
	// root. A past moment at that distance from the present level weighs e^-½ of one at it.
	bandwidth = 0.13
	// minWeight is what a moment weighs at least, at any distance, so that for a level never seen before
	// all moments count alike.
	minWeight = 1e-3
	// maxLookup is the longest run time that is looked up in past days. A longer one gets the same
	// answer as this one.
	maxLookup = 5 * 24 * time.Hour
	// levels is the number of steps to which the square roots of levels are rounded.
	levels = 15
)

// query is a query against every past day: if a task had started at this time of the day, would
// usage have stayed within the room until its end?
type query struct {
	slot      int     // of the day in which the task starts
	startPart float64 // part of that slot that is left
	span      int     // slots until that in which the task ends
	endPart   float64 // part of that slot that the task needs
	room      byte    // greatest usage that leaves the task its cores, packed
	shift     int     // days from the day after the last known one until that of the start
	day       int64   // the day of the start, since 1970

	levelWeight [levels + 1]float64 // weight of a moment, by its entry in Model.levels; 0 if it was not observed
}

// newQuery translates the parameters of Survives into slots of the profile.
func (m *Model) newQuery(now time.Time, recent, room float64, lasts time.Duration) (q query) {
	if m.length == 0 {
		return q
	}
	at := now.Unix()
	q.day = floor(at, 86400)
	within := at - 86400*q.day
	q.slot = int(within / m.length)
	q.startPart = 1 - float64(within%m.length)/float64(m.length)
	end := within + int64(min(lasts, maxLookup)/time.Second)
	q.span = int(end/m.length) - q.slot
	q.endPart = float64(end%m.length) / float64(m.length)
	q.room = profile.Pack(room)
	if profile.Unpack(q.room) > room && q.room > 0 {
		q.room--
	}
	q.shift = int(q.day - floor(m.until, 86400))
	unit := bandwidth * math.Sqrt(max(room, 1e-4))
	root := math.Sqrt(max(recent, 0))
	for i := range levels {
		off := (float64(i)/(levels-1) - root) / unit
		q.levelWeight[i] = minWeight + math.Exp(-off*off/2)
	}
	return q
}

// floor returns a/b rounded down, also for a negative a.
func floor(a, b int64) int64 {
	if a < 0 {
		return (a - b + 1) / b
	}
	return a / b
}

// estimate returns the probability that usage stays within the room. It combines two weighted averages
// over past starts: those at the same time of day, and those at any time. An older start weighs less, and
// so does one whose level is far from recent usage, or that may not have had room. A start's level is the
// mean of the slot before it, as recent usage is from before now.
func (m *Model) estimate(q query) float64 {
	if m.length == 0 {
		return prior
	}
	perDay := m.own.PerDay
	var all, allOf, same, sameOf float64
	next, day := q.slot, 0 // the next slot at the same time of day
	between := m.highest.span(q.span - 1)
	slots := m.highest.rows[0]
	aged := m.oldest / m.younger // the loop multiplies it before each use
	for from := range m.highest.len() - q.span {
		aged *= m.younger
		weight := aged * q.levelWeight[m.levels[max(from-1, 0)]]
		stayed := 0.0
		if slots[from] > q.room {
			weight *= q.roomAtStart(slots[from], m.levels[from])
		}
		if between.from(from+1) <= q.room {
			stayed = m.edgeProbability(&q, from)
		}
		all += weight * stayed
		allOf += weight
		if from == next {
			weight *= m.weekdayFactor(&q, day)
			same += weight * stayed
			sameOf += weight
			next, day = next+perDay, day+1
		}
	}
	base := (all + priorWeight*prior) / (allOf + priorWeight)
	k := allTimesWeight[m.own.Pattern]
	return (same + k*base) / (sameOf + k)
}

// roomAtStart is the probability that a past start in a slot had room, as the present one has, although the
// slot's highest usage exceeded it. Usage is taken to be spread evenly around its mean, up to its highest.
func (q *query) roomAtStart(highest byte, level uint8) float64 {
	root := float64(level) / (levels - 1)
	most, mean := profile.Unpack(highest), root*root
	if level == levels || mean >= most {
		return 0
	}
	return min(max((profile.Unpack(q.room)-(2*mean-most))/(2*(most-mean)), 0), 1)
}

// priorWeight is the weight of prior in the average over all times, where a moment of yesterday at the
// present level weighs about 1.
const priorWeight = 0.02

// allTimesWeight is the weight of the average over all times of day, by pattern. One day at the same time weighs
// about 1.
var allTimesWeight = [...]float64{profile.Unpredictable: 4, profile.Constant: 4, profile.Periodic: 0.2}

// edgeProbability returns the probability that a task which started in slot from stayed in its first and last slot,
// if it stayed in all slots between. It is below 1 where usage exceeded the room in one of the two. The
// task needs only a part of that slot, so it may have missed the excess.
func (m *Model) edgeProbability(q *query, from int) float64 {
	slots := m.highest.rows[0]
	if q.span == 0 {
		if slots[from] > q.room {
			return 1 - max(0, q.endPart-(1-q.startPart))
		}
		return 1
	}
	stayed := 1.0
	if slots[from] > q.room {
		stayed -= q.startPart
	}
	if slots[from+q.span] > q.room {
		stayed *= 1 - q.endPart
	}
	return stayed
}

// weekdayFactor returns the factor of a past day's weight for its day of the week.
func (m *Model) weekdayFactor(q *query, day int) float64 {
	days := m.highest.len() / m.own.PerDay
	back := q.shift + days - day
	factor := 1.0
	if back%7 == 0 {
		factor = sameWeekday
	}
	if m.own.Weekend() && weekend(q.day) != weekend(q.day-int64(back)) {
		factor *= otherDayType
	}
	return factor
}

// weekend reports whether a day, numbered from Thursday, 1 January 1970, is a Saturday or Sunday.
func weekend(day int64) bool {
	weekday := ((day+4)%7 + 7) % 7
	return weekday == 0 || weekday == 6
}
