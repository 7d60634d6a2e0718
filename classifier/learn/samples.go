package learn

import (
	"math"
	"time"

	"lull/classifier/series"
	"lull/subjects/profile"
)

const (
	// fine is the resolution of the counts that the peak is read from.
	fine = 1000
	// peakAt is the percentile of the samples that is the peak.
	peakAt = 0.995
)

// sampleCounts counts the samples of a window by their value: all of them finely, and those of
// each row of a profile in packed shares.
type sampleCounts struct {
	all      [fine + 1]int32
	row      [48][256]int32
	mean     float64
	n        int
	greatest float64
}

func (c *sampleCounts) take(s *series.Series, r rows) {
	*c = sampleCounts{}
	perHour := int(time.Hour / s.Step)
	sum := 0.0
	for hour := 0; hour*perHour < len(s.Mean); hour++ {
		row := &c.row[r.of(hour)]
		for _, v := range s.Mean[hour*perHour : min((hour+1)*perHour, len(s.Mean))] {
			value := float64(v)
			if math.IsNaN(value) {
				continue
			}
			sum += value
			c.greatest = max(c.greatest, value)
			c.all[int(math.Ceil(min(max(value, 0), 1)*fine))]++
			row[profile.Pack(value)]++
			c.n++
		}
	}
	if c.n > 0 {
		c.mean = sum / float64(c.n)
	}
}

// average is the mean of the samples alone, 0 without any.
func (c *sampleCounts) average(s *series.Series) float64 {
	c.take(s, rows{})
	return c.mean
}

// peak is the percentile of the samples, at most a thousandth of all cores too high.
func (c *sampleCounts) peak(greatest bool) float64 {
	if greatest {
		return c.greatest
	}
	left := c.n - int(peakAt*float64(c.n)) // samples that may be above it, and the peak itself
	for v := fine; v >= 0; v-- {
		if left -= int(c.all[v]); left <= 0 {
			return min(float64(v)/fine, c.greatest)
		}
	}
	return 0
}

// quantiles returns the quantiles of each row, packed.
func (c *sampleCounts) quantiles(rows int) []byte {
	out := make([]byte, 0, rows*len(profile.Levels))
	for row := range rows {
		counts := &c.row[row]
		total := int32(0)
		for _, n := range counts {
			total += n
		}
		for _, level := range profile.Levels {
			out = append(out, quantile(counts, total, level))
		}
	}
	return out
}

// quantile is the smallest packed share that so large a part of the samples does not exceed.
func quantile(counts *[256]int32, total int32, level float64) byte {
	if total == 0 {
		return profile.Unknown
	}
	need := int32(math.Ceil(level * float64(total)))
	for b, n := range counts {
		if need -= n; need <= 0 {
			return byte(b)
		}
	}
	return profile.Unknown
}
