package store

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// The newest change of a file counts, in folders below too. A time that the task sets does not.
func TestSavedIsTheLastChangeOfACheckpoint(t *testing.T) {
	s, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	f := s.Folder(Task{Job: "job"}, 1)
	if err := f.Make(); err != nil {
		t.Fatal(err)
	}
	if at := f.Saved(); !at.IsZero() {
		t.Errorf("an empty folder was saved at %v", at)
	}
	before := time.Now().Add(-time.Second) // the kernel's stamps are coarse
	below := filepath.Join(f.Checkpoint(), "deep", "er")
	if err := os.MkdirAll(below, 0o755); err != nil {
		t.Fatal(err)
	}
	if at := f.Saved(); !at.IsZero() {
		t.Errorf("a folder without files was saved at %v", at)
	}
	file := filepath.Join(below, "state")
	if err := os.WriteFile(file, []byte("half"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(file, time.Unix(1, 0), time.Unix(1e10, 0)); err != nil {
		t.Fatal(err)
	}
	if at := f.Saved(); at.Before(before) || at.After(time.Now().Add(time.Second)) {
		t.Errorf("a file that was just written was saved at %v", at)
	}
}
