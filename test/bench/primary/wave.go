package main

import (
	"math"
	"math/rand/v2"
	"time"
)

const (
	period = 10 * time.Millisecond // of one duty cycle
	memory = 200 * time.Millisecond
	// swing is the standard deviation of the load, as a share of the distance to the nearer of idle
	// and full. So it is never cut off at either for long, and its mean is the set share.
	swing = 0.3
)

// wave is the load's fluctuation: a first-order autoregressive process with
// mean 0, standard deviation 1 and a memory of a fifth of a second.
type wave struct {
	rng *rand.Rand
	at  float64
}

// next moves the wave on by a period.
func (w *wave) next() float64 {
	keep := math.Exp(-float64(period) / float64(memory))
	w.at = keep*w.at + math.Sqrt(1-keep*keep)*w.rng.NormFloat64()
	return w.at
}

// load is the share of a period to use, around a mean share.
func (w *wave) load(mean float64) float64 {
	room := min(mean, 1-mean)
	return mean + room*min(max(swing*w.next(), -1), 1)
}
