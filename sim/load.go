package sim

import (
	"math"
	"time"
)

const endOfTime = time.Duration(math.MaxInt64)

// Steady is a load that never changes.
type Steady float64

// At returns the load.
func (s Steady) At(time.Duration) (float64, time.Duration) { return float64(s), endOfTime }

// Series is a load that changes at fixed intervals. After its end it begins again.
type Series struct {
	Every time.Duration
	Cores []float64
}

// At returns the load of the interval that t is in.
func (s Series) At(t time.Duration) (float64, time.Duration) {
	i := t / s.Every
	return s.Cores[int(i)%len(s.Cores)], (i + 1) * s.Every
}
