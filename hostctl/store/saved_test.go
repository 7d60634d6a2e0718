package store

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// checkpoint is the folder of an attempt.
func checkpoint(t *testing.T) Folder {
	t.Helper()
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
	return f
}

// The newest change of a file counts, in folders below too. A time that the task sets does not.
func TestSavedIsTheLastChangeOfACheckpoint(t *testing.T) {
	f := checkpoint(t)
	if at := f.Saved(); !at.IsZero() {
		t.Errorf("Saved(an empty folder) = %v, want never", at)
	}
	before := time.Now().Add(-time.Second) // the kernel's stamps are coarse
	below := filepath.Join(f.Checkpoint(), "deep", "er")
	if err := os.MkdirAll(below, 0o755); err != nil {
		t.Fatal(err)
	}
	if at := f.Saved(); !at.IsZero() {
		t.Errorf("Saved(a folder without files) = %v, want never", at)
	}
	file := filepath.Join(below, "state")
	if err := os.WriteFile(file, []byte("half"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(file, time.Unix(1, 0), time.Unix(1e10, 0)); err != nil {
		t.Fatal(err)
	}
	if at := f.Saved(); at.Before(before) || at.After(time.Now().Add(time.Second)) {
		t.Errorf("Saved(a file that was just written) = %v, want now", at)
	}
}

// Whatever a task puts into its checkpoint folder, the agent neither follows a link nor waits for a
// pipe. Meanwhile it would not see the primary's samples.
func TestSavedOpensFoldersOnly(t *testing.T) {
	f := checkpoint(t)
	elsewhere := t.TempDir()
	if err := os.WriteFile(filepath.Join(elsewhere, "state"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(f.Checkpoint(), "link")); err != nil {
		t.Fatal(err)
	}
	pipe := filepath.Join(f.Checkpoint(), "pipe")
	if err := unix.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	if at := f.Saved(); !at.IsZero() {
		t.Errorf("Saved(a link and a pipe) = %v, want never", at)
	}
	if _, err := openBareAt(unix.AT_FDCWD, pipe); err == nil { // as if it had been a folder a moment ago
		t.Error("openBareAt(a pipe) = nil error, want an error")
	}
	if err := os.RemoveAll(f.Checkpoint()); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, f.Checkpoint()); err != nil {
		t.Fatal(err)
	}
	if at := f.Saved(); !at.IsZero() {
		t.Errorf("Saved(a link in the folder's place) = %v, want never", at)
	}
}

// Looking costs no more however much a task writes.
func TestSavedLooksAtSoManyEntries(t *testing.T) {
	f := checkpoint(t)
	deep := f.Checkpoint()
	for range 3 * deepSaved {
		deep = filepath.Join(deep, "d")
	}
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(deep, "state"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if at := f.Saved(); !at.IsZero() {
		t.Errorf("Saved(a file %d folders deep) = %v, want never", 3*deepSaved, at)
	}
	for i := range 50 {
		if err := os.WriteFile(filepath.Join(f.Checkpoint(), fmt.Sprint(i)), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, most := range []int{1, 20, 1000} {
		s := saved{left: most}
		d, err := openBare(f.Checkpoint())
		if err != nil {
			t.Fatal(err)
		}
		s.folder(d, 1)
		if looked := most - s.left; looked != min(most, 50+deepSaved) {
			t.Errorf("entries looked at = %d, want %d of at most %d", looked, min(most, 50+deepSaved), most)
		}
	}
}
