package learn

import (
	"math"

	"lull/classifier/series"
	"lull/subjects/profile"
)

const (
	// keptDays bounds what a profile keeps of single days, and perDay in how many slots. A
	// constant tenant's hours are alike.
	keptDays       = 14
	perDay         = 48
	perConstantDay = 24
)

// pastDays fills in the greatest and the mean usage of each slot of the last days.
func pastDays(p *profile.Profile, s *series.Series) {
	p.PerDay = perDay
	if p.Pattern == profile.Constant || (series.Day/perDay)%s.Step != 0 {
		p.PerDay = perConstantDay
	}
	samples := int(series.Day/s.Step) / p.PerDay
	slots := min(len(s.Mean)/samples, keptDays*p.PerDay)
	peaks := s.Peaks()
	p.Maxima = make([]byte, 0, slots)
	means := make([]float64, 0, slots)
	for at := len(peaks) - slots*samples; at < len(peaks); at += samples {
		most, mean := known(peaks[at:at+samples], s.Mean[at:at+samples])
		p.Maxima = append(p.Maxima, profile.PackUp(most))
		means = append(means, mean)
	}
	p.Means = profile.PackMeans(means)
}

// known is the greatest peak and the mean of what is no gap, NaN for none.
func known(peaks, means []float32) (most, mean float64) {
	greatest, sum, n := float32(0), float32(0), 0
	for i, v := range means {
		if !math.IsNaN(float64(v)) {
			greatest, sum, n = max(greatest, peaks[i]), sum+v, n+1
		}
	}
	if n == 0 {
		return math.NaN(), math.NaN()
	}
	return float64(greatest), float64(sum) / float64(n)
}
