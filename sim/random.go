package sim

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// stream is the source of chance for one purpose. Its name is all that it
// shares with others: one more draw elsewhere changes nothing here.
func stream(seed uint64, name string) *rand.Rand {
	sum := sha256.Sum256(append(binary.LittleEndian.AppendUint64(nil, seed), name...))
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(sum[:]), binary.LittleEndian.Uint64(sum[8:])))
}
