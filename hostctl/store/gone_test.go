package store

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"lull/subjects"
)

// kept is an attempt of task 3 that committed two files.
func kept(t *testing.T, s *Store) (Folder, subjects.Digest) {
	t.Helper()
	f := made(t, s, 3, 7)
	put(t, f.Out()+"/a", "a")
	put(t, f.Out()+"/d/b", "b")
	_, digest, err := f.Commit(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return f, digest
}

func TestWhatDoesNotExistIsGone(t *testing.T) {
	for name, c := range map[string]struct {
		harm func(t *testing.T, s *Store, f Folder) error
		gone bool
		sure bool
	}{
		"nothing is wrong":     {func(*testing.T, *Store, Folder) error { return nil }, false, true},
		"its folder is gone":   {func(_ *testing.T, _ *Store, f Folder) error { return os.RemoveAll(f.Path) }, true, true},
		"its job is gone":      {func(_ *testing.T, s *Store, _ Folder) error { return s.RemoveJob("job") }, true, true},
		"all jobs are gone":    {func(_ *testing.T, s *Store, _ Folder) error { return os.RemoveAll(s.root + "/jobs") }, true, true},
		"its manifest is gone": {func(_ *testing.T, _ *Store, f Folder) error { return os.Remove(f.manifest()) }, true, true},
		"a file is gone":       {func(_ *testing.T, _ *Store, f Folder) error { return os.Remove(f.Out() + "/d/b") }, true, true},
		"a folder of it is a file": {func(t *testing.T, _ *Store, f Folder) error {
			return replace(f.Out()+"/d", func(p string) { put(t, p, "") })
		}, false, false},
		"its manifest is another": {func(t *testing.T, _ *Store, f Folder) error { put(t, f.manifest(), "other"); return nil }, false, false},
		"its manifest is no file": {func(_ *testing.T, _ *Store, f Folder) error {
			return replace(f.manifest(), func(p string) { _ = os.Mkdir(p, 0o755) })
		}, false, false},
		"its folder leads in a loop": {func(_ *testing.T, _ *Store, f Folder) error {
			return replace(f.Path, func(p string) { _ = os.Symlink(p, p) })
		}, false, false},
		"another disk lies above it": {func(_ *testing.T, s *Store, f Folder) error { s.disks[s.root]++; return os.RemoveAll(f.Path) }, false, false},
		"the store is gone":          {func(_ *testing.T, s *Store, _ Folder) error { return os.Rename(s.root, s.root+"-away") }, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Open(filepath.Join(t.TempDir(), "store"))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close() //nolint:errcheck // it may be gone
			f, digest := kept(t, s)
			if err := c.harm(t, s, f); err != nil {
				t.Fatal(err)
			}
			gone, err := s.Gone(Task{Job: "job", Stage: 1, Task: 3}, 7, digest)
			if gone != c.gone || (err == nil) != c.sure {
				t.Errorf("gone: %v, %v; want %v, sure of it: %v", gone, err, c.gone, c.sure)
			}
		})
	}
}

func replace(path string, by func(path string)) error {
	err := os.RemoveAll(path)
	by(path)
	return err
}

// A mount that is away for a while, or hides the store, proves nothing.
func TestWhatAnotherDiskHidesIsNotGone(t *testing.T) {
	s := open(t)
	_, digest := kept(t, s)
	if err := unix.Mount("lull-test", s.root+"/jobs", "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("needs the right to mount: %v", err)
	}
	task := Task{Job: "job", Stage: 1, Task: 3}
	gone, err := s.Gone(task, 7, digest)
	if gone || err == nil {
		t.Errorf("gone: %v, %v, want no word on it", gone, err)
	}
	if err := unix.Unmount(s.root+"/jobs", unix.MNT_DETACH); err != nil {
		t.Fatal(err)
	}
	if gone, err := s.Gone(task, 7, digest); gone || err != nil {
		t.Errorf("Gone(7) once it is back = %v, %v, want false", gone, err)
	}
}

func TestAnOutputWithoutItsLinkIsFoundAgain(t *testing.T) {
	s := open(t)
	f, digest := kept(t, s)
	if err := os.Remove(s.link(7)); err != nil {
		t.Fatal(err)
	}
	gone, err := s.Gone(Task{Job: "job", Stage: 1, Task: 3}, 7, digest)
	if found, ok := s.Find(7); gone || err != nil || !ok || found.Path != f.Path {
		t.Errorf("Gone(7) = %v, %v, Find = %v, want false, true", gone, err, ok)
	}
}
