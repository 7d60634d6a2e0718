package workload

import (
	"hash/fnv"
	"math/rand/v2"
)

// Random is the stream of chance for one purpose of one seed.
func Random(seed uint64, purpose string) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(purpose)) // into memory
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}
