package store

import (
	"fmt"
	"strings"
	"testing"

	"lull/test/dirty"
)

// What is committed is on the disk: a host that loses its power afterwards keeps it. Few files are synced one by one, many at once.
func TestACommittedOutputIsOnTheDisk(t *testing.T) {
	for _, files := range []int{3, 100} {
		f := made(t, open(t), 1, uint64(files))
		for i := range files {
			put(t, fmt.Sprintf("%s/%d", f.Out(), i), strings.Repeat("x", 10_000))
		}
		if dirty.Pages(t, f.Path) == 0 {
			t.Error("pages to write before the commit = 0, want some: nothing is shown")
		}
		if _, _, err := f.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
		if left := dirty.Pages(t, f.Path); left > 0 {
			t.Errorf("%d files: %d pages are not on the disk after Commit(), want 0", files, left)
		}
	}
}
