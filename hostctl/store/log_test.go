package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func committed(t *testing.T, s *Store, job, text string, attempt uint64) Folder {
	t.Helper()
	f := s.Folder(Task{Job: job}, attempt)
	if err := f.Make(); err != nil {
		t.Fatal(err)
	}
	put(t, f.Out()+"/file", text)
	if _, _, err := f.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := f.Clear(true); err != nil {
		t.Fatal(err)
	}
	return f
}

// An id that is given out again, because the log has lost its tail, names the new attempt.
func TestAnIDThatComesAgain(t *testing.T) {
	s := open(t)
	committed(t, s, "before", "old", 7)
	now := committed(t, s, "after", "new", 7)
	found, ok := s.Find(7)
	if !ok || found.Path != now.Path {
		t.Fatalf("attempt 7 is at %s, want %s", found.Path, now.Path)
	}
	if err := s.RemoveJob("before"); err != nil {
		t.Fatal(err)
	}
	if found, ok := s.Find(7); !ok || found.Path != now.Path {
		t.Errorf("without the old job, attempt 7 is at %s, want %s", found.Path, now.Path)
	}
}

// Attempts of another log are not found.
func TestAnotherLog(t *testing.T) {
	s := open(t)
	first, second := time.Unix(1, 5), time.Unix(2, 0)
	if aside, err := s.BindToLog(first); aside != "" || err != nil {
		t.Fatalf("BindToLog(the first log) = %q, %v, want nothing set aside", aside, err)
	}
	f := committed(t, s, "job", "old", 7)
	put(t, f.Checkpoint()+"/state", "old")
	if aside, err := s.BindToLog(first); aside != "" || err != nil {
		t.Fatalf("BindToLog(the same log) = %q, %v, want nothing set aside", aside, err)
	}
	if created, last := LogOf(s.Root()); !created.Equal(first) || last != 7 {
		t.Errorf("the log of %v, attempt %d; want that of %v, 7", created, last, first)
	}
	aside, err := s.BindToLog(second)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := s.Find(7); ok {
		t.Error("Find(7) = true of the first log, want false")
	}
	if _, err := os.Stat(f.Checkpoint()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("checkpoint of a job of the first log: %v, want it gone", err)
	}
	if _, err := os.Stat(filepath.Join(aside, "jobs", "job")); err != nil {
		t.Error(err)
	}
	committed(t, s, "job", "new", 7)
}
