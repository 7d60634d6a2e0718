package sim

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// stream returns the random source of one purpose. It depends only on the seed and the purpose's name, so one
// more draw elsewhere changes nothing here.
func stream(seed uint64, name string) *rand.Rand {
	sum := sha256.Sum256(append(binary.LittleEndian.AppendUint64(nil, seed), name...))
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(sum[:]), binary.LittleEndian.Uint64(sum[8:])))
}
