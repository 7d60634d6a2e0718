package store

import (
	"fmt"
	"os"
	"testing"
)

// Files linked into an in/ folder are found there and removed without the original, and the
// next task reuses the folders.
func TestInputsAreLinkedAndTakenAway(t *testing.T) {
	s := open(t)
	from := committed(t, s, "maker", "text", 1).Out() + "/file"
	for attempt := uint64(2); attempt < 5; attempt++ {
		f := made(t, s, uint32(attempt), attempt)
		for task := range 300 {
			for _, name := range []string{"part-0", "d/e/part-0"} {
				if err := f.Link(from, "map", fmt.Sprintf("%05d/%s", task, name)); err != nil {
					t.Fatal(err)
				}
			}
		}
		if text, err := os.ReadFile(f.In() + "/map/00299/d/e/part-0"); err != nil || string(text) != "text" {
			t.Fatalf("%q, %v", text, err)
		}
		spare := len(s.dirs.mu.spare)
		if attempt > 2 && spare != 0 {
			t.Errorf("attempt %d: %d spare folders were not reused", attempt, spare)
		}
		if err := f.Clear(false); err != nil {
			t.Fatal(err)
		}
		if exists(f.In()) || len(s.dirs.mu.spare) < 900 {
			t.Errorf("left: %v; %d folders are spare", exists(f.In()), len(s.dirs.mu.spare))
		}
	}
	if !exists(from) {
		t.Error("the original went, too")
	}
}

func BenchmarkShuffleInput(b *testing.B) {
	s, err := Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close() //nolint:errcheck // a benchmark's
	from := b.TempDir() + "/file"
	if err := os.WriteFile(from, []byte("text"), 0o444); err != nil {
		b.Fatal(err)
	}
	attempt := uint64(0)
	for b.Loop() {
		attempt++
		f := s.Folder(Task{Job: "job"}, attempt)
		if err := f.Make(); err != nil {
			b.Fatal(err)
		}
		for task := range 200 {
			if err := f.Link(from, "map", fmt.Sprintf("%05d/part-0", task)); err != nil {
				b.Fatal(err)
			}
		}
		if err := f.Clear(false); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCommit commits what a map of a shuffle leaves.
func BenchmarkCommit(b *testing.B) {
	s, err := Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close() //nolint:errcheck // a benchmark's
	attempt := uint64(0)
	for b.Loop() {
		b.StopTimer()
		attempt++
		f := s.Folder(Task{Job: "job", Task: uint32(attempt)}, attempt)
		if err := f.Make(); err != nil {
			b.Fatal(err)
		}
		for i := range 200 {
			if err := os.WriteFile(fmt.Sprintf("%s/part-%d", f.Out(), i), []byte("text"), 0o644); err != nil {
				b.Fatal(err)
			}
		}
		b.StartTimer()
		if _, _, err := f.Commit(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
