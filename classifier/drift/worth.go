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
	New     Reason = "new"     // there was none, or one that knew nothing
	Pattern Reason = "pattern" // the tenant has another pattern
	Hours   Reason = "hours"   // its day runs otherwise, as after the clocks are shifted
	Peak    Reason = "peak"
	Age     Reason = "age" // the old one is as old as its window
)

const (
	// movedShare and movedPoints are the difference from which an hour counts as moved.
	movedShare  = 0.1
	movedPoints = 0.01
	// movedHours is how many hours of a day must have moved.
	movedHours = 4
	// peakPoints is the difference from which a peak counts as moved, and peakShare likewise.
	peakPoints = 0.10
	peakShare  = 0.25
)

// oldest is the age at which a profile is reported anew in any case.
const oldest = series.Days * series.Day

// Worth returns why a fresh profile should replace the one in force, or None. An unknown tenant
// that stays unknown is not reported again.
func Worth(inForce, fresh *profile.Profile, now time.Time) Reason {
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

// hoursMoved counts the hours of a day in which the fresh profile expects what the old one
// hardly ever saw.
func hoursMoved(old, fresh *profile.Profile) (most int) {
	// A week that begins on a Saturday has a day off and a working day first.
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
