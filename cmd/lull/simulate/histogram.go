package simulate

import "time"

// histogram spreads core-seconds over equal steps of time.
type histogram struct {
	step time.Duration
	sums []float64 // core-seconds
}

func newHistogram(span time.Duration, n int) *histogram {
	return &histogram{max(span/time.Duration(n), 1), make([]float64, n)}
}

// add spreads an amount evenly over [from, to).
func (h *histogram) add(from, to time.Duration, coreSeconds float64) {
	if to <= from {
		to = from + 1
	}
	rate := coreSeconds / float64(to-from)
	for at := max(from, 0); at < to; {
		i := int(at / h.step)
		if i >= len(h.sums) {
			return
		}
		end := min(time.Duration(i+1)*h.step, to)
		h.sums[i] += rate * float64(end-at)
		at = end
	}
}

// means are the cores in use over each step.
func (h *histogram) means() []float64 {
	list := make([]float64, len(h.sums))
	for i, sum := range h.sums {
		list[i] = sum / h.step.Seconds()
	}
	return list
}
