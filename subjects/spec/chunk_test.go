package spec

import "testing"

func TestAChunkIsBoundedByItsRanges(t *testing.T) {
	for ranges := range MaxRanges + 1 {
		n := ChunkOf(ranges)
		if n < 1 || n > ChunkTasks || int(n)*ranges > 4*MaxRanges {
			t.Fatalf("ChunkOf(%d) = %d, want 1 to %d tasks, and at most %d ranges in a chunk", ranges, n, ChunkTasks, 4*MaxRanges)
		}
	}
	if n := ChunkOf(1); n != ChunkTasks {
		t.Errorf("%d tasks of one range share a chunk, want %d", n, ChunkTasks)
	}
}

func TestLocate(t *testing.T) {
	for _, c := range []struct{ chunk, task, k, at uint32 }{
		{0, ChunkTasks - 1, 0, ChunkTasks - 1}, {0, ChunkTasks, 1, 0}, {16, 15, 0, 15}, {16, 33, 2, 1}, {1, 7, 7, 0},
	} {
		if k, at := (&Stage{Chunk: c.chunk}).Locate(c.task); k != c.k || at != c.at {
			t.Errorf("Locate(%d) in chunks of %d = %d, %d, want %d, %d", c.task, c.chunk, k, at, c.k, c.at)
		}
	}
}
