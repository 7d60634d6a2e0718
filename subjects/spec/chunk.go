package spec

import "strconv"

// ChunkName names the object with the splits of a list's tasks from k·n on, n
// being the tasks of a chunk.
func ChunkName(list string, k uint32) string {
	return list + "/" + strconv.FormatUint(uint64(k), 10)
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
