package series

import (
	"math"
	"time"
)

// Hours is a series by the hour.
type Hours struct {
	Start time.Time // on an hour, in UTC
	Mean  []float64 // NaN for an hour without a sample
	Peak  []float64 // the greatest peak of the hour; NaN likewise
}

// Hours sums the series up by the hour. Hours that the series covers in part count with what
// there is of them.
func (s *Series) Hours() *Hours {
	h := new(Hours)
	s.HoursInto(h)
	return h
}

// HoursInto is Hours with memory that is used again.
func (s *Series) HoursInto(h *Hours) {
	h.Start = s.Start.Truncate(time.Hour)
	h.Mean, h.Peak = h.Mean[:0], h.Peak[:0]
	perHour := int(time.Hour / s.Step)
	first := perHour - int(s.Start.Sub(h.Start)/s.Step)
	peaks := s.Peaks()
	for from, until := 0, first; from < len(s.Mean); from, until = until, until+perHour {
		until = min(until, len(s.Mean))
		h.Mean = append(h.Mean, mean(s.Mean[from:until]))
		h.Peak = append(h.Peak, greatest(peaks[from:until]))
	}
}

func mean(values []float32) float64 {
	sum, n := 0.0, 0
	for _, v := range values {
		if !math.IsNaN(float64(v)) {
			sum += float64(v)
			n++
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return sum / float64(n)
}

func greatest(values []float32) float64 {
	most := float32(-1)
	for _, v := range values {
		if v > most {
			most = v
		}
	}
	if most < 0 {
		return math.NaN()
	}
	return float64(most)
}

// Days is the number of whole days. Those of a series that does not begin at midnight are
// counted from its start.
func (h *Hours) Days() int { return len(h.Mean) / 24 }

// Known is the number of hours with a sample.
func (h *Hours) Known() int {
	n := 0
	for _, v := range h.Mean {
		if !math.IsNaN(v) {
			n++
		}
	}
	return n
}
