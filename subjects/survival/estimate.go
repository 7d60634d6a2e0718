package survival

import (
	"math"
	"time"

	"lull/subjects/profile"
)

const (
	// near is a difference of the levels' square roots, in units of the room's. A past moment at
	// that distance counts e^-½ as much as one at the present level.
	near = 0.13
	// faint is the weight that a moment at any level keeps, so that a level never seen before
	// is answered by all others.
	faint = 1e-3
	// reaches is the longest run that days are asked about: what lasts longer is answered as
	// this.
	reaches = 5 * 24 * time.Hour
	// levels is the resolution at which levels are compared.
	levels = 15
)

// question is what a past day is asked: would a task that started at this time of it have
// stayed?
type question struct {
	slot  int     // of the day in which the task starts
	own   float64 // part of that slot that is left
	span  int     // slots until that in which the task ends
	last  float64 // part of that slot that the task needs
	room  byte    // packed: more than this is too much
	shift int     // days from the day after the last known one until that of the start
	day   int64   // the day of the start, since 1970

	level [levels + 1]float64 // weight of a moment by its packed mean; 0 for one without observation
}

// ask puts the question in the terms of the profile's slots.
func (m *Model) ask(now time.Time, recent, room float64, lasts time.Duration) (q question) {
	if m.length == 0 {
		return q
	}
	at := now.Unix()
	q.day = floor(at, 86400)
	within := at - 86400*q.day
	q.slot = int(within / m.length)
	q.own = 1 - float64(within%m.length)/float64(m.length)
	end := within + int64(min(lasts, reaches)/time.Second)
	q.span = int(end/m.length) - q.slot
	q.last = float64(end%m.length) / float64(m.length)
	q.room = profile.Pack(room)
	if profile.Unpack(q.room) > room && q.room > 0 {
		q.room--
	}
	q.shift = int(q.day - floor(m.until, 86400))
	unit := near * math.Sqrt(max(room, 1e-4))
	root := math.Sqrt(max(recent, 0))
	for i := range levels {
		off := (float64(i)/(levels-1) - root) / unit
		q.level[i] = faint + math.Exp(-off*off/2)
	}
	return q
}

func floor(a, b int64) int64 {
	if a < 0 {
		return (a - b + 1) / b
	}
	return a / b
}

// estimate weighs the same time of past days, and all times of them, against each other. The
// level of a past moment is that of the slot before it, as recent usage is that before now.
func (m *Model) estimate(q question) float64 {
	if m.length == 0 {
		return ignorance
	}
	perDay := m.own.PerDay
	var all, allOf, same, sameOf float64
	next, day := q.slot, 0 // the next slot at the same time of day
	between := m.highest.span(q.span - 1)
	aged := m.oldest / m.younger
	for from := range m.highest.len() - q.span {
		aged *= m.younger
		weight := aged * q.level[m.levels[max(from-1, 0)]]
		stayed := 0.0
		if between.from(from+1) <= q.room {
			stayed = m.edges(&q, from)
		}
		all += weight * stayed
		allOf += weight
		if from == next {
			weight *= m.kind(&q, day)
			same += weight * stayed
			sameOf += weight
			next, day = next+perDay, day+1
		}
	}
	base := (all + vague*ignorance) / (allOf + vague)
	k := pull[m.own.Pattern]
	return (same + k*base) / (sameOf + k)
}

// vague is the weight of knowing nothing against one moment of yesterday.
const vague = 0.02

// pull is the weight of all times of day against one day at the same time, by pattern.
var pull = [...]float64{profile.Unpredictable: 4, profile.Constant: 4, profile.Periodic: 0.2}

// edges returns how likely a task stayed that began in a slot and stayed in all slots between the
// first and the last. It is 1, or less where usage exceeded the room in the first or the last, of
// which the task needs a part.
func (m *Model) edges(q *question, from int) float64 {
	slots := m.highest.rows[0]
	if q.span == 0 {
		if slots[from] > q.room {
			return 1 - max(0, q.last-(1-q.own))
		}
		return 1
	}
	stayed := 1.0
	if slots[from] > q.room {
		stayed -= q.own
	}
	if slots[from+q.span] > q.room {
		stayed *= 1 - q.last
	}
	return stayed
}

// kind is the factor of a past day for what day of the week it was.
func (m *Model) kind(q *question, day int) float64 {
	days := m.highest.len() / m.own.PerDay
	back := q.shift + days - day
	factor := 1.0
	if back%7 == 0 {
		factor = sameWeekday
	}
	if m.own.Weekend() && weekend(q.day) != weekend(q.day-int64(back)) {
		factor *= otherKind
	}
	return factor
}

// weekend reports whether a day, numbered from Thursday, 1 January 1970, is a Saturday or Sunday.
func weekend(day int64) bool {
	weekday := ((day+4)%7 + 7) % 7
	return weekday == 0 || weekday == 6
}
