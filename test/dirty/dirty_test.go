package dirty

import (
	"os"
	"path/filepath"
	"testing"
)

func TestPagesAreThoseThatNoDiskHas(t *testing.T) {
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "a"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // a temporary file
	if _, err := f.Write(make([]byte, 100_000)); err != nil {
		t.Fatal(err)
	}
	if n := Pages(t, dir); n == 0 {
		t.Error("Pages() after a write = 0, want some")
	}
	if err := f.Sync(); err != nil {
		t.Fatal(err)
	}
	if n := Pages(t, dir); n != 0 {
		t.Errorf("Pages() after a sync = %d, want 0", n)
	}
}
