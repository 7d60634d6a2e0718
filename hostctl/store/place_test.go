package store

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"lull/subjects/spec"
)

var sentFiles = &spec.Bundle{Entries: []spec.Entry{
	{Path: "lib", Folder: true},
	{Path: "lib/a", Mode: 0o640, Body: []byte("text")},
	{Path: "lib/l", Link: "a"},
	{Path: "run.sh", Mode: 0o755},
}}

// working returns an attempt's folder for a task of user 64998, or of this one if it is not root.
func working(t *testing.T, s *Store) Folder {
	t.Helper()
	to := self()
	if to.UID == 0 {
		to = Owner{64998, 64998}
	}
	if err := s.Give(to); err != nil {
		t.Fatal(err)
	}
	return made(t, s, 0, 1)
}

func TestFilesAreTheTasksOwn(t *testing.T) {
	s := open(t)
	f := working(t, s)
	want := uid(t, f.Work())
	for range 2 { // a second bundle may have the same folder
		if err := f.Place(sentFiles); err != nil {
			t.Fatal(err)
		}
		for name, mode := range map[string]fs.FileMode{"lib": 0o755, "lib/a": 0o640, "run.sh": 0o755} {
			info, err := os.Stat(filepath.Join(f.Work(), name))
			if err != nil || info.Mode().Perm() != mode || uid(t, filepath.Join(f.Work(), name)) != want {
				t.Errorf("%s = %v, %v, want mode %v and owner %d", name, info, err, mode, want)
			}
		}
		if body, err := os.ReadFile(filepath.Join(f.Work(), "lib/l")); string(body) != "text" {
			t.Errorf("the link reads %q, %v, want text", body, err)
		}
		for _, name := range []string{"lib/a", "lib/l", "run.sh"} {
			if err := os.Remove(filepath.Join(f.Work(), name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := f.Clear(false); err != nil || exists(f.Work()) {
		t.Errorf("Clear() = %v, want the folder gone", err)
	}
}

// Another task of the same user may have put links where files are placed.
func TestFilesArePlacedWithinTheFolder(t *testing.T) {
	s := open(t)
	aside := t.TempDir()
	for name, link := range map[string]string{"a file": "lib/a", "a folder": "lib"} {
		f := made(t, s, 0, uint64(len(name)))
		if err := os.MkdirAll(filepath.Dir(filepath.Join(f.Work(), link)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(aside, "x"), filepath.Join(f.Work(), link)); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(aside, "x"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := f.Place(sentFiles); err == nil {
			t.Errorf("Place(%s) = nil, want an error", name)
		}
		if left, _ := filepath.Glob(aside + "/x/*"); len(left) > 0 {
			t.Errorf("%s: %v is elsewhere, want nothing", name, left)
		}
	}
	f := made(t, s, 0, 77)
	if err := errors.Join(f.Place(sentFiles)); err != nil {
		t.Fatal(err)
	}
	if err := f.Place(sentFiles); !errors.Is(err, fs.ErrExist) {
		t.Errorf("Place(over a file) = %v, want ErrExist", err)
	}
}

func TestSentBytesAreKeptWhileUsed(t *testing.T) {
	s := open(t).Sent()
	body := []byte("what was sent")
	if _, err := s.Read("sha256-a"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Read before Write = %v, want ErrNotExist", err)
	}
	for range 2 {
		if err := s.Keep("sha256-a", body); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := s.Read("sha256-a"); err != nil || !bytes.Equal(got, body) {
		t.Errorf("Read = %q, %v, want %q", got, err, body)
	}
	if info, err := os.Stat(s.folder); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("folder = %v, %v, want mode 700, closed to tasks", info.Mode(), err)
	}
	if err := os.WriteFile(s.path("sha256-a"), append(body, make([]byte, 32)...), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Read("sha256-a"); !errors.Is(err, fs.ErrNotExist) || exists(s.path("sha256-a")) {
		t.Errorf("Read(damaged bytes) = %v, want ErrNotExist and the file gone", err)
	}
	now, ages := time.Now(), map[string]time.Duration{"old": sentIdle, "used": 3 * time.Hour, "large": time.Hour, "larger": 2 * time.Hour}
	for name := range ages { // before any is old or large: each Keep sweeps
		if err := s.Keep(name, nil); err != nil {
			t.Fatal(err)
		}
	}
	for name, age := range ages {
		if size, ok := map[string]int64{"large": mostSent - 100, "larger": 200}[name]; ok {
			if err := os.Truncate(s.path(name), size); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chtimes(s.path(name), now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Sweep(now); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"old": false, "used": false, "large": true, "larger": false} {
		if exists(s.path(name)) != want {
			t.Errorf("%s is kept: %v", name, !want)
		}
	}
}
