package ledger_test

import (
	"bytes"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lull/subjects/forged"
	"lull/subjects/ledger"
)

// Whatever stands in the log, a reader goes on from a snapshot as if it had folded all of it.
func TestAHostileLogIsFolded(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := ledger.New()
		forger := forged.New(rapid.Uint64().Draw(rt, "seed"), s)
		again := ledger.New()
		for seq := range uint64(600) {
			if seq%150 == 0 {
				again = restored(rt, s)
			}
			e, at := forger.Event(), time.Unix(1_700_000_000+int64(seq), 0)
			s.Apply(seq+1, at, e)
			again.Apply(seq+1, at, e)
		}
		if !bytes.Equal(snapshotOf(rt, restored(rt, s)), snapshotOf(rt, restored(rt, again))) {
			rt.Error("a reader that went on from a snapshot has another state, want the same")
		}
	})
}

// restored is what a reader makes of a snapshot. Documents that differ only in what no snapshot has are one there.
func restored(rt *rapid.T, s *ledger.State) *ledger.State {
	b, err := s.Snapshot()
	if err != nil {
		rt.Fatal(err)
	}
	again := ledger.New()
	if err := again.Restore(b); err != nil {
		rt.Fatalf("Restore(a snapshot) = %v, want no error", err)
	}
	return again
}

func snapshotOf(rt *rapid.T, s *ledger.State) []byte {
	b, err := s.Snapshot()
	if err != nil {
		rt.Fatal(err)
	}
	return b
}
