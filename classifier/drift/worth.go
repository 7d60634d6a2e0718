package drift

import (
	"math"
	"time"

	"lull/classifier/series"
	"lull/subjects/profile"
)

// Reason is why a fresh profile is reported.
type Reason string

// The reasons.
const (
	None    Reason = ""
	New     Reason = "new"     // there was none, or the old or the fresh one has no hours
	Pattern Reason = "pattern" // the tenant has another pattern
	Hours   Reason = "hours"   // usage differs in some hours of the day, as after the clocks are shifted
	Peak    Reason = "peak"    // the peak is higher or lower
	Age     Reason = "age"     // the old one is as old as its window is long
)

const (
	// An hour counts as moved if it differs by more than movedPoints plus movedShare of the value that
	// the fresh profile expects.
	movedShare  = 0.1
	movedPoints = 0.01
	// movedHours is how many hours of a day must have moved to report the profile.
	movedHours = 4
	// A peak counts as moved if it differs by more than peakPoints plus peakShare of the old peak.
	peakPoints = 0.10
	peakShare  = 0.25
)

// oldest is the age at which a profile is reported anew in any case.
const oldest = series.Days * series.Day

// ReportReason returns why a fresh profile should replace the one in force, or None. A profile without hours is
// not replaced by another one without hours.
func ReportReason(inForce, fresh *profile.Profile, now time.Time) Reason {
	known, was := len(fresh.Hours) > 0, len(inForce.Hours) > 0
	switch {
	case !known && !was && inForce.Until != 0:
		return None
	case !was || !known:
		return New
	case fresh.Pattern != inForce.Pattern:
		return Pattern
	case hoursMoved(inForce, fresh) >= movedHours:
		return Hours
	case math.Abs(fresh.Peak-inForce.Peak) > peakPoints+peakShare*inForce.Peak:
		return Peak
	case now.Sub(time.Unix(inForce.Until, 0)) >= oldest:
		return Age
	}
	return None
}

// hoursMoved returns the number of hours in which the fresh profile expects usage that was rare according
// to the old one: on a day off or on a working day, whichever has more such hours.
func hoursMoved(old, fresh *profile.Profile) (most int) {
	// 3 January 1970 was a Saturday. It stands for days off, the Monday after it for working days.
	saturday := time.Unix(2*86400, 0)
	for _, day := range []time.Time{saturday, saturday.Add(2 * series.Day)} {
		moved := 0
		for hour := range 24 {
			at := day.Add(time.Duration(hour) * time.Hour)
			expects := fresh.Expect(at)
			far := math.Abs(expects-old.Expect(at)) > movedPoints+movedShare*expects
			if far && (expects < old.Quantile(at, 0.05) || expects > old.Quantile(at, 0.95)) {
				moved++
			}
		}
		most = max(most, moved)
	}
	return most
}
