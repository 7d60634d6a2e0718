package profile

import (
	"math"
	"slices"
	"time"
)

const (
	// carried is the part of a present deviation that goes on, and keptHour what an hour
	// leaves of it.
	carried  = 0.6
	keptHour = 0.98
	// recent is how many hours a deviation is taken from at most.
	recent = 6
)

// Deviation returns by how much usage is above what the profile expects now: the median over the
// last hours before a time, the latest last. Hours without observation are NaN.
func (p *Profile) Deviation(now time.Time, hours []float64) float64 {
	var off [recent]float64
	n := 0
	for i := max(0, len(hours)-recent); i < len(hours); i++ {
		at := now.Add(time.Duration(i-len(hours)) * time.Hour)
		if v := hours[i] - p.Expect(at); !math.IsNaN(v) {
			off[n] = v
			n++
		}
	}
	if n == 0 {
		return 0
	}
	known := off[:n]
	slices.Sort(known)
	return (known[(n-1)/2] + known[n/2]) / 2
}

// Ahead is the usage to expect in the hour of a time that lies so far ahead, given how much
// usage deviates now. Much of a deviation stays for a day, because it is seldom the hour that
// differs and mostly the level.
func (p *Profile) Ahead(at time.Time, ahead time.Duration, deviation float64) float64 {
	left := carried * math.Pow(keptHour, max(ahead.Hours()+1, 0))
	return min(max(p.Expect(at)+left*deviation, 0), 1)
}
