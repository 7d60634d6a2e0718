package store

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sync/errgroup"
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
				if err := f.Inputs().Link(from, "map", fmt.Sprintf("%05d/%s", task, name)); err != nil {
					t.Fatal(err)
				}
			}
		}
		if text, err := os.ReadFile(f.In() + "/map/00299/d/e/part-0"); err != nil || string(text) != "text" {
			t.Fatalf("input = %q, %v, want text", text, err)
		}
		spare := len(s.dirs.mu.spare)
		if attempt > 2 && spare != 0 {
			t.Errorf("attempt %d: spare folders = %d, want 0: all reused", attempt, spare)
		}
		if err := f.Clear(false); err != nil {
			t.Fatal(err)
		}
		if exists(f.In()) || len(s.dirs.mu.spare) < 900 {
			t.Errorf("input left: %v, spare folders = %d, want false, at least 900", exists(f.In()), len(s.dirs.mu.spare))
		}
	}
	if !exists(from) {
		t.Errorf("%s is gone, want the original there", from)
	}
}

// Inputs of other hosts are fetched at once. Each makes the folders above its own.
func TestFoldersAreMadeAtOnce(t *testing.T) {
	s := open(t)
	for attempt := uint64(1); attempt <= 200; attempt++ {
		f := made(t, s, uint32(attempt), attempt)
		if err := f.Inputs().Make(f.In()); err != nil {
			t.Fatal(err)
		}
		var at errgroup.Group
		for task := range 8 {
			at.Go(func() error { return f.Inputs().Make(fmt.Sprintf("%s/map/%05d", f.In(), task)) })
		}
		if err := at.Wait(); err != nil {
			t.Fatalf("attempt %d: Wait() = %v, want no error", attempt, err)
		}
		if found, _ := filepath.Glob(f.In() + "/map/*"); len(found) != 8 {
			t.Fatalf("attempt %d: inputs = %v, want 8", attempt, found)
		}
		if err := f.Clear(false); err != nil {
			t.Fatal(err)
		}
	}
}

// A reader finds what is for it in the folders that another one left, and nothing else.
func TestFoldersAreInherited(t *testing.T) {
	s := open(t)
	from := committed(t, s, "maker", "text", 1).Out() + "/file"
	read := func(attempt uint64, part string, folders ...string) {
		f := made(t, s, uint32(attempt), attempt)
		if err := f.Inputs().Make(f.In()); err != nil {
			t.Fatal(err)
		}
		for _, old := range f.Inputs().Inherit("job", "map") {
			if !slices.Contains(folders, old) {
				if err := f.Inputs().Disown("map", old); err != nil {
					t.Error(err)
				}
			}
		}
		for _, folder := range folders {
			if err := f.Inputs().Link(from, "map", folder+"/"+part); err != nil {
				t.Fatal(err)
			}
		}
		var want []string
		for _, folder := range folders {
			want = append(want, f.In()+"/map/"+folder+"/"+part)
		}
		if found, _ := filepath.Glob(f.In() + "/*/*"); len(found) != len(folders) {
			t.Errorf("attempt %d has the folders %v, want %v", attempt, found, folders)
		}
		if found, _ := filepath.Glob(f.In() + "/*/*/*"); !slices.Equal(found, want) {
			t.Errorf("attempt %d reads %v, want %v", attempt, found, want)
		}
		f.Inputs().Release(Tree{"job", "map", part, folders})
		if err := f.Clear(false); err != nil || exists(f.In()) {
			t.Errorf("Clear() = %v, input left: %v, want it gone", err, exists(f.In()))
		}
	}
	read(2, "part-2", "00000", "00001", "00002")
	inode := func() os.FileInfo {
		info, err := os.Stat(s.trees.mu.left[0].path + "/00001")
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	first := inode()
	read(3, "part-3", "00001", "00002", "00003")
	if !os.SameFile(first, inode()) {
		t.Error("the folder was made anew, want the first one")
	}
	for attempt := uint64(4); attempt < 4+2*maxTrees; attempt++ {
		f := made(t, s, uint32(attempt), attempt)
		if err := f.Inputs().Link(from, "other", "00000/part-0"); err != nil {
			t.Fatal(err)
		}
		f.Inputs().Release(Tree{"job", "other", "part-0", []string{"00000"}})
	}
	if kept, _ := filepath.Glob(s.root + "/inherited/*"); len(kept) != maxTrees {
		t.Errorf("%d trees are kept, want %d", len(kept), maxTrees)
	}
	err := s.RemoveJob("job")
	if kept, _ := filepath.Glob(s.root + "/inherited/*"); err != nil || len(kept) > 0 || len(s.trees.mu.left) > 0 {
		t.Errorf("RemoveJob() = %v, left %v, %v, want nothing", err, kept, s.trees.mu.left)
	}
}

func TestAnEarlierAgentsTreesAreRemoved(t *testing.T) {
	s := open(t)
	from := committed(t, s, "maker", "text", 1).Out() + "/file"
	f := made(t, s, 2, 2)
	if err := f.Inputs().Link(from, "map", "00000/part-2"); err != nil {
		t.Fatal(err)
	}
	f.Inputs().Release(Tree{"job", "map", "part-2", []string{"00000"}})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	next, err := Open(s.Root())
	if err != nil {
		t.Fatal(err)
	}
	defer next.Close() //nolint:errcheck // a test's
	if kept, _ := filepath.Glob(s.Root() + "/inherited/*"); len(kept) > 0 || !exists(from) {
		t.Errorf("left: %v, original there: %v, want none, true", kept, exists(from))
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
			if err := f.Inputs().Link(from, "map", fmt.Sprintf("%05d/part-0", task)); err != nil {
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
