package doctor

import (
	"testing"

	"lull/cmd/lull/serve/heap"
	"lull/subjects/ledger"
)

// New jobs must not wait for memory that only ended ones hold.
func TestTheLeastMemoryHasRoomForWhatIsKept(t *testing.T) {
	if ledgers := 2; heap.Least/2 <= baseMemory+ledgers*ledger.KeepMost {
		t.Errorf("half of %d bytes is full when no job is open: an idle pool takes %d, and each of %d ledgers keeps %d of ended jobs",
			heap.Least, baseMemory, ledgers, ledger.KeepMost)
	}
}
