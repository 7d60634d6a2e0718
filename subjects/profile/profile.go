package profile

import (
	"fmt"
	"math"
	"time"
)

// Levels are the quantiles that a profile keeps of each hour.
var Levels = [...]float64{0.05, 0.25, 0.50, 0.75, 0.95}

// Spans are the lengths, in hours, for which Profile.Miss says how far an expectation erred.
var Spans = [...]int{1, 4, 12, 24}

// StrayHours is how many hours Profile.Stray and tests for drift look at.
const StrayHours = 5

// Profile is what the classifier knows of a tenant. The zero value knows nothing.
type Profile struct {
	Pattern    Pattern `msgpack:"pattern"`
	Confidence float64 `msgpack:"confidence"` // 0 to 1
	Average    float64 `msgpack:"average"`    // share of the host's cores
	Peak       float64 `msgpack:"peak"`       // 99.5th percentile of the samples, or the greatest; 1 below two days
	From       int64   `msgpack:"from"`       // the window, seconds since 1970 in UTC
	Until      int64   `msgpack:"until"`
	Observed   float64 `msgpack:"observed"` // the part of the window that is no gap
	// Since is when the tenant's usage changed, seconds since 1970: what it used before does not count. 0 for a
	// tenant that did not change within the longest window.
	Since int64 `msgpack:"since,omitempty"`

	// Hours is the usage to expect in each hour of a day, packed. It has 24 values, or 48 where the
	// weekend differs from the other days and follows them.
	Hours []byte `msgpack:"hours,omitempty"`
	// Quantiles are quantiles of the samples, len(Levels) for each of Hours, packed.
	Quantiles []byte `msgpack:"quantiles,omitempty"`
	// Miss is by how much usage may exceed Hours, packed, one value for each of Spans. It is the
	// 95th percentile of the mean usage over the span less the expected mean.
	Miss []byte `msgpack:"miss,omitempty"`
	// Stray is the largest difference of the mean usage of StrayHours in a row from Hours, packed.
	// Usage that differs by far more is not that of this profile's tenant.
	Stray byte `msgpack:"stray,omitempty"`
	// Maxima are the greatest usage in each slot of the last days of the window, oldest first,
	// PerDay a day, packed and rounded up. The last slot ends at Until.
	Maxima []byte `msgpack:"maxima,omitempty"`
	PerDay int    `msgpack:"per_day,omitempty"`
	// Means are the mean usage of the same slots, two in a byte, the earlier one in its low half. A
	// value is 14 times the square root of the share, or 15 for a slot without observation.
	Means []byte `msgpack:"means,omitempty"`
}

// Check says what is wrong with a profile that came from elsewhere.
func (p *Profile) Check() error {
	rows := len(p.Hours)
	switch {
	case p.Pattern.Check() != nil:
		return p.Pattern.Check()
	case !share(p.Confidence) || !share(p.Average) || !share(p.Peak) || !share(p.Observed):
		return fmt.Errorf("confidence %v, average %v, peak %v, observed %v: each must be from 0 to 1", p.Confidence, p.Average, p.Peak, p.Observed)
	case p.Until < p.From:
		return fmt.Errorf("the window ends at %d, before its start at %d", p.Until, p.From)
	case rows != 0 && rows != 24 && rows != 48:
		return fmt.Errorf("%d hours: a day has 24, with a weekend 48", rows)
	case len(p.Quantiles) != rows*len(Levels):
		return fmt.Errorf("%d quantiles for %d hours: each has %d", len(p.Quantiles), rows, len(Levels))
	case len(p.Miss) != 0 && len(p.Miss) != len(Spans):
		return fmt.Errorf("%d misses: name none or %d", len(p.Miss), len(Spans))
	case len(p.Maxima) != 0 && (p.PerDay < 24 || p.PerDay > 288 || p.PerDay%24 != 0 || len(p.Maxima)%p.PerDay != 0 || len(p.Maxima) > mostMaxima):
		return fmt.Errorf("%d maxima, %d a day: they must be whole days of 24 to 288, at most %d", len(p.Maxima), p.PerDay, mostMaxima)
	case len(p.Means) != (len(p.Maxima)+1)/2:
		return fmt.Errorf("%d bytes of means for %d maxima: two stand in a byte", len(p.Means), len(p.Maxima))
	}
	return nil
}

// mostMaxima bounds what a reader of foreign profiles keeps.
const mostMaxima = 4096

func share(v float64) bool { return v >= 0 && v <= 1 }

// Size is the number of bytes that a profile takes, without the names of its fields.
func (p *Profile) Size() int {
	return 1 + 6*8 + 2 + len(p.Hours) + len(p.Quantiles) + len(p.Miss) + len(p.Maxima) + len(p.Means)
}

// Weekend reports whether Saturday and Sunday stand apart.
func (p *Profile) Weekend() bool { return len(p.Hours) == 48 }

// row is the place of an hour among Hours.
func (p *Profile) row(at time.Time) int {
	at = at.UTC()
	if day := at.Weekday(); p.Weekend() && (day == time.Saturday || day == time.Sunday) {
		return 24 + at.Hour()
	}
	return at.Hour()
}

// Misses returns Miss as shares of the host's cores, nil if it is not known.
func (p *Profile) Misses() []float64 {
	if len(p.Miss) == 0 {
		return nil
	}
	misses := make([]float64, len(p.Miss))
	for i, b := range p.Miss {
		misses[i] = known(b)
	}
	return misses
}

// Expect is the usage to expect in the hour of a time, as a share. A profile that knows
// nothing expects all cores to be used.
func (p *Profile) Expect(at time.Time) float64 {
	if len(p.Hours) == 0 {
		return 1
	}
	return known(p.Hours[p.row(at)])
}

// Quantile returns a quantile of the samples in the hour of a time. It is linear between the quantiles
// that are kept, and the outermost of them beyond. It is 1 for a profile that knows nothing.
func (p *Profile) Quantile(at time.Time, q float64) float64 {
	if len(p.Quantiles) == 0 {
		return 1
	}
	row := p.row(at) * len(Levels)
	of := p.Quantiles[row : row+len(Levels)]
	for i := range Levels {
		if q > Levels[i] {
			continue
		}
		if i == 0 {
			return known(of[0])
		}
		part := (q - Levels[i-1]) / (Levels[i] - Levels[i-1])
		return known(of[i-1]) + part*(known(of[i])-known(of[i-1]))
	}
	return known(of[len(of)-1])
}

// known is an unpacked share, 1 where nothing was observed: the worst case.
func known(b byte) float64 {
	v := Unpack(b)
	if math.IsNaN(v) {
		return 1
	}
	return v
}
