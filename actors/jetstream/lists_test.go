package jetstream

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"lull/subjects"
)

// putList stores chunks in the way of a client, and returns the sum of their index.
func putList(t *testing.T, bus *Bus, chunks ...[]byte) (list string) {
	t.Helper()
	put := func(body []byte) string {
		name, err := bus.PutBlob(t.Context(), body)
		if err != nil {
			t.Fatal(err)
		}
		return name
	}
	var index []byte
	for _, chunk := range chunks {
		index, _ = hex.AppendDecode(index, []byte(put(chunk)))
	}
	return put(index)
}

// varied is text without repetitions.
func varied(size, seed int) []byte {
	text := make([]byte, size)
	rand.NewChaCha8([32]byte{byte(seed)}).Read(text) //nolint:errcheck // it never fails
	return text
}

// reads reports whether every chunk of a list can be read.
func (b *Bus) reads(t *testing.T, list string) bool {
	t.Helper()
	index, err := b.ReadBlob(t.Context(), list, 0, 1<<20)
	for ; err == nil && len(index) >= sumSize; index = index[sumSize:] {
		_, err = b.ReadBlob(t.Context(), hex.EncodeToString(index[:sumSize]), 0, 8<<20)
	}
	return err == nil
}

func (b *Bus) pieceCount(t *testing.T) uint64 {
	t.Helper()
	stream, err := b.js.Stream(t.Context(), b.pool.Lists())
	if err != nil {
		t.Fatal(err)
	}
	return stream.CachedInfo().State.Msgs
}

// Pieces that no named list reaches are dropped, unless they were put recently; others stay.
func TestListsThatNoJobNamesAreSwept(t *testing.T) {
	bus, _ := openTest(t)
	shared, long := []byte("both name it"), varied(1200<<10, 1) // three pieces and a node
	named := putList(t, bus, shared, long)
	orphan := putList(t, bus, shared, []byte("only the orphan names it"), slices.Concat(long, []byte("er")))
	w := bus.NewListSweeper()
	before := bus.pieceCount(t)
	for _, keep := range []map[string]bool{{named: true, orphan: true}, {named: true}} {
		if n, err := w.Sweep(t.Context(), keep, time.Now().Add(-time.Hour)); n != 0 || err != nil {
			t.Fatalf("Sweep(the last hour) = %d, %v, want 0", n, err)
		}
	}
	if n, err := w.Sweep(t.Context(), map[string]bool{named: true, orphan: true}, time.Now().Add(time.Hour)); n != 0 || err != nil {
		t.Fatalf("Sweep(what is named) = %d, %v, want 0", n, err)
	}
	n, err := w.Sweep(t.Context(), map[string]bool{named: true}, time.Now().Add(time.Hour))
	if err != nil || uint64(n) != before-bus.pieceCount(t) || n != 4 { // index, text, node, and the end of the longer one
		t.Errorf("Sweep() = %d, %v with %d pieces left of %d, want 4", n, err, bus.pieceCount(t), before)
	}
	if !bus.reads(t, named) || bus.reads(t, orphan) {
		t.Errorf("lists read: named %v, orphan %v, want true, false", bus.reads(t, named), bus.reads(t, orphan))
	}
	if n, err := w.Sweep(t.Context(), nil, time.Now().Add(time.Hour)); err != nil || bus.pieceCount(t) != 0 {
		t.Errorf("Sweep(no list is named) = %d, %v with %d left, want 0 left", n, err, bus.pieceCount(t))
	}
	if _, err := w.Sweep(t.Context(), nil, time.Now()); err != nil {
		t.Errorf("Sweep(an empty stream) = %v, want no error", err)
	}
}

// A list with a missing piece may be put again, with pieces below the missing one.
func TestAListThatIsPutAgainIsKept(t *testing.T) {
	bus, _ := openTest(t)
	long := varied(1200<<10, 1)
	list := putList(t, bus, long)
	w, all := bus.NewListSweeper(), time.Now().Add(time.Hour)
	if _, err := w.Sweep(t.Context(), nil, all); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Sweep(t.Context(), map[string]bool{list: true}, all); err != nil {
		t.Fatal(err)
	}
	putList(t, bus, long)
	if n, err := w.Sweep(t.Context(), map[string]bool{list: true}, all); n != 0 || err != nil || !bus.reads(t, list) {
		t.Errorf("Sweep(a list that is named) = %d, %v, want 0 and the list read", n, err)
	}
}

// More lists than one round can read are swept in several rounds. Nothing is dropped before
// all are read. A list with any number of missing chunks does not stop the sweep.
func TestManyListsTakeSeveralRounds(t *testing.T) {
	bus, _ := openTest(t)
	var index []byte
	for i := range 2 * sweepReads {
		index = append(index, fmt.Appendf(nil, "%032d", i)...)
	}
	hollow, err := bus.PutBlob(t.Context(), index)
	if err != nil {
		t.Fatal(err)
	}
	orphan := putList(t, bus, []byte("orphan"))
	w, all := bus.NewListSweeper(), time.Now().Add(time.Hour)
	for round := 1; ; round++ {
		n, err := w.Sweep(t.Context(), map[string]bool{hollow: true}, all)
		if err == nil {
			if round < 3 || n != 2 || bus.reads(t, orphan) {
				t.Errorf("round %d: Sweep() = %d, want 2 from round 3 on and the orphan gone", round, n)
			}
			return
		}
		if !errors.Is(err, ErrUnmarked) || !bus.reads(t, orphan) || round > 4 {
			t.Fatalf("round %d: Sweep() = %v, want ErrUnmarked until round 3", round, err)
		}
	}
}

// Lists stay until they take more than half of their quota.
func TestListsAreSweptWhenTheyTakeRoom(t *testing.T) {
	bus, _ := openTest(t)
	shrink(t, bus, bus.pool.Lists(), 4<<20)
	w := bus.NewListSweeper()
	for i, want := range []bool{false, true} {
		putList(t, bus, varied(1<<20+1<<19, i), []byte(subjects.Nobody))
		if due, err := w.Due(t.Context()); due != want || err != nil {
			t.Errorf("Due() with %d MB = %v, %v, want %v", 3*(i+1)/2, due, err, want)
		}
	}
}
