package learn

import (
	"lull/classifier/profile"
	"lull/classifier/series"
)

const (
	// slotsPerDay and keptDays bound the maxima of a profile to 672 bytes.
	slotsPerDay = 48
	keptDays    = 14
)

// maxima are the greatest usage of each slot of the last days, oldest first. An hour of a step
// that does not divide a slot has one slot.
func maxima(s *series.Series) (packed []byte, perDay int) {
	perDay = slotsPerDay
	slot := series.Day / slotsPerDay
	if slot%s.Step != 0 {
		perDay, slot = 24, series.Day/24
	}
	samples := int(slot / s.Step)
	peaks := s.Peaks()
	slots := min(len(peaks)/samples, keptDays*perDay)
	packed = make([]byte, 0, slots)
	for at := len(peaks) - slots*samples; at < len(peaks); at += samples {
		most := float32(-1)
		for _, v := range peaks[at : at+samples] {
			most = max(most, v) // a NaN would stay: see below
		}
		if most != most {
			most = known(peaks[at : at+samples])
		}
		if most < 0 {
			packed = append(packed, profile.Unknown)
			continue
		}
		packed = append(packed, profile.PackUp(float64(most)))
	}
	return packed, perDay
}

// known is the greatest of what is no gap, negative for none.
func known(values []float32) float32 {
	most := float32(-1)
	for _, v := range values {
		if v > most {
			most = v
		}
	}
	return most
}
