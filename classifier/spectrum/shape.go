package spectrum

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/dsp/fourier"

	"lull/classifier/series"
)

// Bands is the number of bands of a frequency profile.
const Bands = 12

// Shape is what decides on a tenant's pattern.
type Shape struct {
	Days   float64 // observed
	Swing  float64 // 95th less 5th percentile of the hourly means, as a share of the host's cores
	Daily  float64 // share of the energy at 24 hours and harmonics
	Weekly float64 // share at 168 hours and harmonics, less what noise would have there; 0 without whole weeks
	// Fall is how much of the energy that does not repeat lies below one cycle a day: near 1 for
	// rare events, as in the paper's Figure 1d, and near a twelfth for noise.
	Fall float64
	// Bands is the frequency profile: the amplitude, as a share of the host's cores, at the week,
	// below the day, at the day and seven harmonics, and between them.
	Bands [Bands]float64
}

// Analyser computes shapes. It keeps plans of transforms, by their length, and memory between calls.
type Analyser struct {
	plans  map[int]*fourier.FFT
	hours  []float64
	sorted []float64
	coeffs []complex128
}

// NewAnalyser returns an Analyser.
func NewAnalyser() *Analyser { return &Analyser{plans: map[int]*fourier.FFT{}} }

// Shape returns the shape of the hourly means of whole days. If one day alone is an outlier, the shape is
// computed with the median day in its place.
func (a *Analyser) Shape(h *series.Hours) Shape {
	days := h.Days()
	shape := Shape{Days: float64(h.Known()) / 24}
	if days == 0 || shape.Days == 0 {
		return shape
	}
	a.hours = append(a.hours[:0], h.Mean[len(h.Mean)-24*days:]...)
	series.Fill(a.hours, 24)
	a.describe(&shape, days)
	if days < leastToDrop {
		return shape
	}
	if day, alone := a.outlier(days); alone {
		a.replace(day, days)
		a.describe(&shape, days)
	}
	return shape
}

// describe computes the fields of a shape from a.hours.
func (a *Analyser) describe(s *Shape, days int) {
	a.sorted = append(a.sorted[:0], a.hours...)
	slices.Sort(a.sorted)
	s.Swing = quantile(a.sorted, 0.95) - quantile(a.sorted, 0.05)
	a.transform()
	s.sumEnergy(a.coeffs, days)
}

// transform sets a.coeffs to the Fourier coefficients of a.hours.
func (a *Analyser) transform() {
	n := len(a.hours)
	plan := a.plans[n]
	if plan == nil {
		plan = fourier.NewFFT(n)
		a.plans[n] = plan
	}
	if cap(a.coeffs) < n/2+1 {
		a.coeffs = make([]complex128, n/2+1)
	}
	a.coeffs = plan.Coefficients(a.coeffs[:n/2+1], a.hours)
}

// sumEnergy sets the fields that follow from the energy at each frequency. Coefficient k has k cycles in
// the whole window, so it repeats daily if k is a multiple of days.
func (s *Shape) sumEnergy(coeffs []complex128, days int) {
	var all, daily, weekly, rare, rest float64
	s.Bands = [Bands]float64{}
	n := 2 * (len(coeffs) - 1)
	for k := 1; k < len(coeffs); k++ {
		e := energy(coeffs[k])
		if k == n/2 {
			e /= 2 // the full transform has this coefficient once, all others twice
		}
		all += e
		switch {
		case k%days == 0:
			daily += e
		case k < days:
			rare += e
			fallthrough
		default:
			rest += e
		}
		if days%7 == 0 && k%(days/7) == 0 {
			weekly += e
		}
		s.Bands[band(k, days)] += e
	}
	s.Daily, s.Weekly, s.Fall = 0, 0, 0
	for b := range s.Bands {
		s.Bands[b] = math.Sqrt(2*s.Bands[b]) / float64(n)
	}
	if all <= 0 {
		return
	}
	s.Daily = daily / all
	if rest > 0 {
		s.Fall = rare / rest
	}
	if days%7 == 0 && days >= 14 {
		noise := 7 / float64(days) // one in days/7 coefficients is a weekly one
		s.Weekly = max(0, (weekly/all-noise)/(1-noise))
	}
}

// band returns the index of a coefficient in the frequency profile. 0 is the week and its harmonics
// below one cycle a day, and 1 the rest below that. 2 to 9 are the day and its harmonics. 10 is the rest
// below four cycles a day, and 11 the rest above.
func band(k, days int) int {
	switch {
	case k%days == 0:
		return 1 + min(k/days, 8)
	case k < days && days%7 == 0 && k%(days/7) == 0:
		return 0
	case k < days:
		return 1
	case k < 4*days:
		return 10
	}
	return 11
}

func energy(c complex128) float64 { return real(c)*real(c) + imag(c)*imag(c) }

// quantile returns a quantile of sorted values, with linear interpolation.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	low := int(at)
	if low+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[low] + (at-float64(low))*(sorted[low+1]-sorted[low])
}
