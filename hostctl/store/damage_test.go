package store

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"

	"lull/subjects/manifest"

	"golang.org/x/sys/unix"
)

// rewrite changes a file's bytes and keeps its mode.
func rewrite(t *testing.T, path string, change func([]byte) []byte) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err == nil {
		err = os.Chmod(path, 0o644)
	}
	if err == nil {
		err = os.WriteFile(path, change(b), 0o644)
	}
	if err == nil {
		err = os.Chmod(path, 0o444)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func flip(b []byte) []byte { b[len(b)-1] ^= 1; return b }
func cut(b []byte) []byte  { return b[:len(b)-1] }
func grow(b []byte) []byte { return append(b, 'x') }

var task3 = Task{Job: "job", Stage: 1, Task: 3}

func TestWrongBytesAreDamage(t *testing.T) {
	for name, c := range map[string]struct {
		harm func(t *testing.T, s *Store, f Folder)
		want error
	}{
		"nothing is wrong":           {func(*testing.T, *Store, Folder) {}, nil},
		"a byte is flipped":          {func(t *testing.T, _ *Store, f Folder) { rewrite(t, f.Out()+"/d/b", flip) }, manifest.ErrDamaged},
		"a file is cut":              {func(t *testing.T, _ *Store, f Folder) { rewrite(t, f.Out()+"/a", cut) }, manifest.ErrDamaged},
		"a file has grown":           {func(t *testing.T, _ *Store, f Folder) { rewrite(t, f.Out()+"/a", grow) }, manifest.ErrDamaged},
		"its manifest is another":    {func(t *testing.T, _ *Store, f Folder) { rewrite(t, f.manifest(), flip) }, manifest.ErrDamaged},
		"its manifest is cut":        {func(t *testing.T, _ *Store, f Folder) { rewrite(t, f.manifest(), cut) }, manifest.ErrDamaged},
		"its manifest is gone":       {func(_ *testing.T, _ *Store, f Folder) { _ = os.Remove(f.manifest()) }, fs.ErrNotExist},
		"a file is gone":             {func(_ *testing.T, _ *Store, f Folder) { _ = os.Remove(f.Out() + "/a") }, fs.ErrNotExist},
		"its folder leads in a loop": {func(_ *testing.T, _ *Store, f Folder) { _ = replace(f.Path, func(p string) { _ = os.Symlink(p, p) }) }, unix.ELOOP},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			f, digest := kept(t, s)
			c.harm(t, s, f)
			if err := s.Verify(t.Context(), task3, 7, digest); !errors.Is(err, c.want) {
				t.Errorf("Verify() = %v, want %v", err, c.want)
			}
		})
	}
}

func TestAnotherDiskProvesNoDamage(t *testing.T) {
	s := open(t)
	f, digest := kept(t, s)
	rewrite(t, f.Out()+"/a", flip)
	s.disks[s.root]++
	if err := s.Verify(t.Context(), task3, 7, digest); err == nil || errors.Is(err, manifest.ErrDamaged) {
		t.Errorf("Verify() of another disk = %v, want an error other than ErrDamaged", err)
	}
}

func TestAFileOfAnotherSizeIsNotGone(t *testing.T) {
	s := open(t)
	f, digest := kept(t, s)
	rewrite(t, f.Out()+"/a", cut)
	if gone, err := s.Gone(task3, 7, digest); gone || !errors.Is(err, manifest.ErrDamaged) {
		t.Errorf("gone: %v, %v, want it damaged", gone, err)
	}
}

func TestOnlyAnIOErrorThatPersistsIsDamage(t *testing.T) {
	wrong := &fs.PathError{Op: "read", Path: "a", Err: unix.EIO}
	for name, c := range map[string]struct {
		reads  []error
		damage bool
	}{
		"it persists":    {[]error{wrong, wrong}, true},
		"it is gone":     {[]error{wrong, nil}, false},
		"another error":  {[]error{fs.ErrPermission}, false},
		"and another":    {[]error{wrong, fs.ErrPermission}, false},
		"nothing is bad": {[]error{nil}, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := 0
				err := unreadable(t.Context(), func() error { n++; return c.reads[n-1] })
				if n != len(c.reads) || errors.Is(err, manifest.ErrDamaged) != c.damage {
					t.Errorf("%d reads, %v; want damage: %v", n, err, c.damage)
				}
			})
		})
	}
}

// The agent's own process does not hash: verifying is no urgent work.
func TestAnotherProcessHashesWhatIsVerified(t *testing.T) {
	s := open(t)
	_, digest := kept(t, s)
	var other others
	s.HashBy(func(context.Context) (Hasher, error) { return &other, nil })
	if err := s.Verify(t.Context(), task3, 7, digest); err != nil || len(other.asked) != 2 || !other.closed {
		t.Errorf("Verify() = %v, hashed by the other process: %q, closed: %v, want two and true", err, other.asked, other.closed)
	}
}

func TestADamagedOutputIsSetAside(t *testing.T) {
	s := open(t)
	for id := range uint64(maxAside + 2) {
		f := made(t, s, 3, id)
		put(t, f.Out()+"/a", "a")
		_, digest, err := f.Commit(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		aside, err := s.SetAside(task3, id)
		if b, rerr := os.ReadFile(aside + "/out/a"); err != nil || rerr != nil || !bytes.Equal(b, []byte("a")) {
			t.Errorf("SetAside() = %q, %v, %v, want the output in it", aside, err, rerr)
		}
		if _, found := s.Find(id); found {
			t.Errorf("Find(%d) = true after it was set aside, want false", id)
		}
		if gone, err := s.Gone(task3, id, digest); !gone || err != nil {
			t.Errorf("Gone() = %v, %v, want true", gone, err)
		}
	}
	aside, err := filepath.Glob(s.root + "/jobs/job/damaged/*")
	if len(aside) != maxAside || err != nil {
		t.Errorf("%d are kept, want %d (%v)", len(aside), maxAside, err)
	}
	links, err := os.ReadDir(s.root + "/attempts")
	if len(links) > 0 || err != nil {
		t.Errorf("links = %v (%v), want none", links, err)
	}
	if err := s.RemoveJob("job"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(s.root + "/jobs/job"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("they stay when the job is not wanted any more: %v", err)
	}
}
