package series

import (
	"fmt"
	"math"
	"time"
)

// Average computes the average server of a tenant: in each slot the mean over the hosts that
// reported it. The caller adds a host's samples only from the times in which the host was the
// tenant's.
type Average struct {
	start time.Time
	step  time.Duration
	mean  []float32 // sums, until Series divides them
	peak  []float32
	known []float32 // number of hosts; one that covers a part of the slot counts as that part
	peaks bool      // a peak was measured in some sample
}

// NewAverage returns an empty window of a number of slots, each as long as step. It returns an error if
// step does not divide an hour, or if start is not a multiple of step.
func NewAverage(start time.Time, step time.Duration, samples int) (*Average, error) {
	switch {
	case step <= 0 || time.Hour%step != 0:
		return nil, fmt.Errorf("a step of %v does not divide an hour: resample to %v", step, Step)
	case !start.Truncate(step).Equal(start):
		return nil, fmt.Errorf("the start %v is not a multiple of %v: round it down", start, step)
	case samples < 0:
		return nil, fmt.Errorf("%d samples: the number must not be negative", samples)
	}
	return &Average{
		start: start.UTC(), step: step,
		mean: make([]float32, samples), peak: make([]float32, samples), known: make([]float32, samples),
	}, nil
}

// Reset removes all samples and moves the window to start. It overwrites the last result of
// Series.
func (a *Average) Reset(start time.Time) {
	a.start, a.peaks = start.UTC().Truncate(a.step), false
	clear(a.mean)
	clear(a.peak)
	clear(a.known)
}

// Add adds one sample of one host, which began at from. mean and peak are shares of the host's cores:
// peak is the greatest mean over ten seconds, negative if none was measured. A sample that is longer or
// shorter than a slot counts in each slot by the part of the slot that it covers. Add ignores what lies
// outside the window, and a mean of NaN.
func (a *Average) Add(from time.Time, lasted time.Duration, mean, peak float32) {
	if math.IsNaN(float64(mean)) || lasted <= 0 {
		return
	}
	mean, peak = clip(mean), a.greatest(clip(mean), peak)
	at := from.Sub(a.start)
	if lasted == a.step && at%a.step == 0 && at >= 0 {
		a.add(int(at/a.step), mean, peak, 1)
		return
	}
	for slot := max(int(at/a.step), 0); time.Duration(slot)*a.step < at+lasted && slot < len(a.mean); slot++ {
		begin := time.Duration(slot) * a.step
		covered := min(begin+a.step, at+lasted) - max(begin, at)
		if covered > 0 {
			a.add(slot, mean, peak, float32(covered)/float32(a.step))
		}
	}
}

func (a *Average) add(slot int, mean, peak, part float32) {
	if slot < len(a.mean) {
		a.mean[slot] += mean * part
		a.peak[slot] += peak * part
		a.known[slot] += part
	}
}

// greatest returns the peak of a sample, at least its mean, and notes if a peak was measured.
func (a *Average) greatest(mean, peak float32) float32 {
	if !(peak >= 0) {
		return mean
	}
	a.peaks = true
	return max(clip(peak), mean)
}

// clip keeps a share within its bounds: some meters show more than all cores.
func clip(v float32) float32 { return min(max(v, 0), 1) }

// Series returns the average server. It divides the sums in place, so call Reset before the next
// tenant.
func (a *Average) Series() *Series {
	for i, n := range a.known {
		if n == 0 {
			a.mean[i], a.peak[i] = gap, gap
			continue
		}
		a.mean[i] /= n
		a.peak[i] /= n
	}
	s := &Series{Start: a.start, Step: a.step, Mean: a.mean}
	if a.peaks {
		s.Peak = a.peak
	}
	return s
}
