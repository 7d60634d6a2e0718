package doctor

import (
	"testing"

	"lull/cmd/lull/serve/heap"
	"lull/subjects/ledger"
)

// New jobs must not wait for memory that only ended ones hold.
func TestTheLeastMemoryHasRoomForWhatIsKept(t *testing.T) {
	if ledgers := 2; heap.Least/2 <= baseMemory+ledgers*ledger.KeepMost {
		t.Errorf("half of the least heap = %d bytes, want more than the %d of an idle pool and the %d of ended jobs in each of %d ledgers",
			heap.Least/2, baseMemory, ledger.KeepMost, ledgers)
	}
}
