package store

import (
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func uid(t *testing.T, path string) int {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return int(info.Sys().(*syscall.Stat_t).Uid)
}

func needRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root, to give files away")
	}
}

// A checkpoint is given to its next user, but not files of others that an earlier user has
// linked into it.
func TestAGivenTreeTakesNothingAlong(t *testing.T) {
	needRoot(t)
	const earlier, later = 64997, 64998
	dir := t.TempDir()
	put(t, dir+"/root's", "x")
	tree := dir + "/checkpoint"
	put(t, tree+"/d/own", "x")
	err := errors.Join(os.Link(dir+"/root's", tree+"/d/linked"), os.Symlink(dir+"/root's", tree+"/link"))
	for _, path := range []string{tree, tree + "/d", tree + "/d/own", tree + "/link"} {
		err = errors.Join(err, os.Lchown(path, earlier, earlier))
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := (Owner{later, later}).giveTree(tree); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{
		tree: later, tree + "/d": later, tree + "/d/own": later, tree + "/link": later, dir + "/root's": 0,
	} {
		if got := uid(t, path); got != want {
			t.Errorf("%s belongs to %d, want %d", path, got, want)
		}
	}
}

// Root commits no hard link to a file that the task could not read. Files that all may read,
// and the task's own, may have other names.
func TestALinkGivesNoRightToRead(t *testing.T) {
	needRoot(t)
	const user = 64997
	for name, c := range map[string]struct {
		uid  int
		mode os.FileMode
		ok   bool
	}{
		"root's": {0, 0o600, false}, "root's, read-only": {0, 0o400, false}, "a neighbour's": {64996, 0o640, false},
		"everybody's": {0, 0o644, true}, "its own": {user, 0o600, true},
	} {
		s := open(t)
		if err := s.Give(Owner{user, user}); err != nil {
			t.Fatal(err)
		}
		f := made(t, s, 0, 1)
		other := s.root + "/other"
		put(t, other, "secret")
		if err := errors.Join(os.Chown(other, c.uid, user), os.Chmod(other, c.mode), os.Link(other, f.Out()+"/f")); err != nil {
			t.Fatal(err)
		}
		if _, _, err := f.Commit(t.Context()); (err == nil) != c.ok || !c.ok && !errors.Is(err, ErrOutput) {
			t.Errorf("Commit(%s) = %v, want no error: %v", name, err, c.ok)
		}
	}
}

// The next stage's tasks run as other users. What a task made for itself alone, as umask 077 and mktemp do, they
// read, and run, all the same.
func TestPrivateFilesAreInputsOfOtherUsers(t *testing.T) {
	needRoot(t)
	const user = 64997
	s := open(t)
	if err := s.Give(Owner{user, user}); err != nil {
		t.Fatal(err)
	}
	f := made(t, s, 0, 1)
	put(t, f.Out()+"/d/text", "text")
	put(t, f.Out()+"/d/tool", "#!/bin/sh")
	for path, mode := range map[string]os.FileMode{"/d/text": 0o600, "/d/tool": 0o700, "/d": 0o700} {
		if err := errors.Join(os.Chown(f.Out()+path, user, user), os.Chmod(f.Out()+path, mode)); err != nil {
			t.Fatal(err)
		}
	}
	m, digest, err := f.Commit(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{"/d/text": 0o444, "/d/tool": 0o555, "/d": 0o755} {
		info, err := os.Stat(f.Out() + path)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("mode of %s after Commit() = %o, want %o", path, got, want)
		}
	}
	for i, want := range []uint32{0o400, 0o500} {
		if got := m.Files[i].Mode; got != want {
			t.Errorf("mode of %s in the manifest = %o, want the task's, %o", m.Files[i].Path, got, want)
		}
	}
	if _, again, err := f.Commit(t.Context()); err != nil || again != digest {
		t.Errorf("Commit() again = %x, %v, want the manifest of the first, %x", again, err, digest)
	}
}

// Without a fence, another task of the same user can swap a folder of an output for a link
// while root walks it. Root then committed files elsewhere and made them read-only.
func TestACommitStaysWithinItsFolder(t *testing.T) {
	needRoot(t)
	s := open(t)
	aside := t.TempDir()
	for _, name := range []string{"a", "b", "c"} {
		put(t, aside+"/"+name, "elsewhere")
	}
	for attempt := range uint64(30) {
		f := made(t, s, uint32(attempt), attempt+1)
		for _, name := range []string{"a", "b", "c"} {
			put(t, f.Out()+"/d/"+name, "own")
		}
		if err := os.Symlink(aside, f.Work()+"/link"); err != nil {
			t.Fatal(err)
		}
		var stop atomic.Bool
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			for !stop.Load() {
				_ = unix.Renameat2(unix.AT_FDCWD, f.Out()+"/d", unix.AT_FDCWD, f.Work()+"/link", unix.RENAME_EXCHANGE)
			}
		}()
		m, _, err := f.Commit(t.Context())
		stop.Store(true)
		<-ended
		for _, file := range m.Files {
			if file.Size != 3 {
				t.Errorf("attempt %d: %s = %d bytes from elsewhere (%v), want 3 of its own", attempt, file.Path, file.Size, err)
			}
		}
	}
	for _, name := range []string{"a", "b", "c"} {
		if info, err := os.Stat(filepath.Join(aside, name)); err != nil || info.Mode().Perm() != 0o644 {
			t.Errorf("mode of %s = %v (%v), want 644 as before", name, info.Mode(), err)
		}
	}
}

// A commit makes the agent the owner of files and folders. Without a fence, another owner of a
// folder could put other files into it.
func TestFoldersThatAreCommittedAreTheAgents(t *testing.T) {
	needRoot(t)
	s := open(t)
	f := made(t, s, 0, 1)
	put(t, f.Out()+"/d/x", "x")
	for _, path := range []string{f.Out(), f.Out() + "/d", f.Out() + "/d/x"} {
		if err := errors.Join(os.Chown(path, 64998, 64998), os.Chmod(path, 0o777)); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := f.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{f.Out(), f.Out() + "/d", f.Out() + "/d/x"} {
		if info, err := os.Stat(path); err != nil || uid(t, path) != 0 || info.Mode().Perm()&0o022 != 0 {
			t.Errorf("%s belongs to %d with mode %v, want root and no writing by others", path, uid(t, path), info.Mode())
		}
	}
}
