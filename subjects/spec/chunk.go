package spec

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// ChunkName names the object with the splits of a list's tasks from k·n on, n
// being the tasks of a chunk.
func ChunkName(list string, k uint32) string {
	return list + "/" + strconv.FormatUint(uint64(k), 10)
}

// summed is the prefix of the name of a list that is named by the SHA-256 of its index: the sums of
// its chunks, one after the other. The name fixes the content, so no other list can take its place.
const summed = "sha256-"

// SummedList returns the name of the list with an index of this SHA-256 sum, in hex.
func SummedList(sum string) string { return summed + sum }

// ParseListName returns the sum in the name of a summed list.
func ParseListName(name string) (sum string, ok bool) {
	sum, ok = strings.CutPrefix(name, summed)
	raw, err := hex.DecodeString(sum)
	return sum, ok && err == nil && len(raw) == sha256.Size
}

// ParseChunkName splits the name of a chunk of a summed list.
func ParseChunkName(name string) (sum string, k uint32, ok bool) {
	list, number, cut := strings.Cut(name, "/")
	n, err := strconv.ParseUint(number, 10, 32)
	sum, ok = ParseListName(list)
	return sum, uint32(n), ok && cut && err == nil
}

const (
	// chunkRanges bounds the ranges of a chunk. Agents hold whole chunks: with
	// ChunkTasks of a thousand files each, one took 350 MB.
	chunkRanges = 4 * MaxRanges
	// MaxChunk bounds the bytes of a chunk: its ranges with the longest of paths.
	MaxChunk = chunkRanges * (maxPath + 64)
)

// ChunkOf is how many tasks may share a chunk, when none of them has more than
// so many ranges.
func ChunkOf(ranges int) uint32 {
	return uint32(min(max(chunkRanges/max(ranges, 1), 1), ChunkTasks))
}

// Locate says where a task's split is: in which chunk of the list, and which
// one of it.
func (s *Stage) Locate(task uint32) (k, at uint32) {
	n := s.Chunk
	if n == 0 {
		n = ChunkTasks
	}
	return task / n, task % n
}
