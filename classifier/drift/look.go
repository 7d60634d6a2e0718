package drift

import (
	"math"
	"time"

	"lull/classifier/series"
	"lull/subjects/profile"
)

// Verdict is what the last hours say of a profile.
type Verdict uint8

// The verdicts.
const (
	// Unsure means too few samples, or a profile that expects nothing.
	Unsure Verdict = iota
	Same
	Changed
)

const (
	// further is how many times as far as ever before a tenant that changed strays, and margin
	// how many points more. Noise of a month that was not seen reaches neither.
	further = 1.5
	margin  = 0.05
	// leastHours is how many of the last hours must have been observed.
	leastHours = 4
)

// Look judges the last whole hours of a tenant's usage, of which the profile must not have been
// made.
func Look(p *profile.Profile, h *series.Hours) Verdict {
	if len(p.Hours) == 0 {
		return Unsure
	}
	first := max(len(h.Mean)-profile.StrayHours, 0)
	sum, known := 0.0, 0
	for i := first; i < len(h.Mean); i++ {
		off := h.Mean[i] - p.Expect(h.Start.Add(time.Duration(i)*time.Hour))
		if !math.IsNaN(off) {
			sum += off
			known++
		}
	}
	if known < leastHours {
		return Unsure
	}
	if math.Abs(sum/float64(known)) > further*profile.Unpack(p.Stray)+margin {
		return Changed
	}
	return Same
}

// Since is when a tenant began to change that is found Changed at a time: the start of the
// hours that were looked at.
func Since(now time.Time) time.Time {
	return now.UTC().Truncate(time.Hour).Add(-profile.StrayHours * time.Hour)
}
