package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A socket's path may have 107 bytes, and a job's name may have 64.
func TestTemporaryFilesHaveShortPaths(t *testing.T) {
	root, err := os.MkdirTemp("", "s") // t.TempDir is too long for any socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	s, err := Open(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, job := range []string{"short", strings.Repeat("long", 16)} {
		f := s.Folder(Task{Job: job}, 1234567)
		if err := f.Make(); err != nil {
			t.Fatal(err)
		}
		at, err := filepath.EvalSymlinks(Temp(f))
		if want, _ := filepath.EvalSymlinks(f.Work()); err != nil || at != want || len(Temp(f)) > longestTemp {
			t.Errorf("temporary files of %s go to %s (%s, %v), want %s in at most %d bytes", job, Temp(f), at, err, want, longestTemp)
		}
		if job == "short" {
			if err := f.Clear(false); err != nil {
				t.Fatal(err)
			}
		}
	}
	left := s.Folder(Task{Job: strings.Repeat("long", 16)}, 1234567)
	if err := os.RemoveAll(left.Path); err != nil { // as if the agent had been killed
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = Open(root); err != nil {
		t.Fatal(err)
	}
	defer s.Close() //nolint:errcheck // the test ends
	if left, _ := os.ReadDir(filepath.Join(root, tempFolder)); len(left) > 0 {
		t.Errorf("links of attempts that are gone: %v, want none", left)
	}
}
