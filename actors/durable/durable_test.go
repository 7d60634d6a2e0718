package durable

import (
	"fmt"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

func TestManyAreTakenLikeFew(t *testing.T) {
	for _, n := range []int{0, 1, few, few + 1, 10 * few} {
		dir := t.TempDir()
		var b Batch
		for i := range n {
			f, err := os.Create(fmt.Sprintf("%s/%d", dir, i))
			if err != nil {
				t.Fatal(err)
			}
			if err := b.Add(f); err != nil {
				t.Fatal(err)
			}
			if err := f.Close(); i >= few && err == nil {
				t.Fatalf("file %d is open, want a batch to hold at most %d descriptors", i, few)
			} else if i < few && err == nil {
				b.held[i], _ = os.Open(f.Name())
			}
		}
		if err := b.Sync(); err != nil || len(b.held) != 0 {
			t.Errorf("Sync(%d files) = %v with %d held, want none", n, err, len(b.held))
		}
	}
}

// Sync returns the error of a file that cannot be synced, such as a pipe.
func TestWhatCannotBeSyncedIsAnError(t *testing.T) {
	var p [2]int
	if err := unix.Pipe(p[:]); err != nil {
		t.Fatal(err)
	}
	defer unix.Close(p[1]) //nolint:errcheck // nothing was written
	var b Batch
	if err := b.Add(os.NewFile(uintptr(p[0]), "pipe")); err != nil {
		t.Fatal(err)
	}
	if err := b.Sync(); err == nil {
		t.Error("Sync(a pipe) = nil, want an error")
	}
}
