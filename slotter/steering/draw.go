package steering

import (
	"math/bits"
	"math/rand/v2"
)

// draw is chance that follows from a job's id alone, so that a replay draws alike.
type draw struct{ random rand.PCG }

func drawFor(id string) (d draw) {
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a
	hash := uint64(offset)
	for i := range len(id) {
		hash = (hash ^ uint64(id[i])) * prime
	}
	d.random.Seed(hash, uint64(len(id)))
	return d
}

// below draws a number from 0 to n-1. Its bias is below n/2⁶⁴.
func (d *draw) below(n uint64) uint64 {
	high, _ := bits.Mul64(d.random.Uint64(), n)
	return high
}
