package survival

import (
	"math"
	"time"

	"lull/subjects/profile"
)

// Model answers for one tenant.
type Model struct {
	own   *profile.Profile
	class *Model // nil for none
	trust float64

	highest highest // of the slots of the past days
	levels  []uint8 // their means, packed; the last level for one without observation
	oldest  float64 // the weight of the first slot, for its age
	younger float64 // by which the weight of each slot exceeds that of the one before
	until   int64   // the end of the last slot, seconds since 1970
	length  int64   // of a slot, in seconds
}

const (
	// ageDays is how many days take a day's weight to 1/e of it.
	ageDays = 10.0
	// sameWeekday is the factor for the same day of the week. otherKind is that for a working day
	// in an estimate of a different weekend, and the other way around.
	sameWeekday  = 2.0
	otherDayType = 0.15
	// fullDays is the number of days from which a tenant does not need its class's profile.
	fullDays = 7.0
	// prior is the probability for a tenant of which nothing is known.
	prior = 0.5
)

// New is the model of a tenant's profile. The class's profile stands in where the tenant's
// own days are few; it may be nil. Both must have passed Check.
func New(own, class *profile.Profile) *Model {
	m := &Model{own: own, until: own.Until}
	if n := len(own.Maxima); n > 0 {
		m.length = 86400 / int64(own.PerDay)
		m.highest = newHighest(own.Maxima)
		m.levels, m.younger = make([]uint8, n), math.Exp(1/float64(own.PerDay)/ageDays)
		m.oldest = math.Pow(m.younger, -float64(n))
		for slot := range n {
			m.levels[slot] = levels
			if root := own.MeanRoot(slot); !math.IsNaN(root) {
				m.levels[slot] = uint8(root*(levels-1) + 0.5)
				m.trust++
			}
		}
		m.trust = min(1, m.trust/float64(own.PerDay)/fullDays)
	}
	if class != nil && m.trust < 1 {
		m.class = New(class, nil)
	}
	return m
}

// Room returns the share of a host's cores that the primary may use so that, rounded up to whole
// cores, it leaves the reserve and batch work's cores free. A task that would start counts among
// them.
func Room(cores, reserve, held float64) float64 {
	if cores <= 0 {
		return 0
	}
	return max(0, math.Floor(cores-reserve-held+1e-9)/cores)
}

// Survives returns the probability that usage stays within the room for so long from a time on,
// given that it is within it now. recent is the mean usage of the last half hour, or the present
// usage where no more is known. The caller checks that there is room now. All are shares of the
// host's cores.
func (m *Model) Survives(now time.Time, recent, room float64, lasts time.Duration) float64 {
	switch {
	case room >= 1 || lasts <= 0:
		return 1
	}
	p := m.estimate(m.newQuery(now, recent, room, lasts))
	if m.trust >= 1 {
		return p
	}
	rest := prior
	if m.class != nil {
		rest = m.class.Survives(now, recent, room, lasts)
	}
	return m.trust*p + (1-m.trust)*rest
}
