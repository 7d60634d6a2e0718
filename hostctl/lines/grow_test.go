package lines

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"lull/subjects/spec"
)

// tagged writes a file and returns its range with a tag, as clients pin it.
func tagged(t *testing.T, text string) spec.Range {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	r := spec.Range{Path: path, Size: info.Size(), MTime: info.ModTime().UnixNano(), Length: info.Size()}
	if r.Tag, err = spec.FileTag(f, info.Sys().(*syscall.Stat_t).Ino, r.Size); err != nil {
		t.Fatal(err)
	}
	return r
}

func appendTo(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString(text)
		_ = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A file that only grew is read up to its pin, whenever it grows.
func TestAFileThatGrewIsReadUpToItsPin(t *testing.T) {
	r := tagged(t, "one\ntwo\nthr") // a writer is within its third line
	for range 2 {
		appendTo(t, r.Path, "ee\nfour\n")
		in, err := OpenAll([]spec.Range{r}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !in.FirstGrew() {
			t.Error("FirstGrew() = false, want true: a task that gets the file would read on")
		}
		appendTo(t, r.Path, "five\n")
		var out bytes.Buffer
		if _, err := in.Copy(&out); err != nil || out.String() != "one\ntwo\nthr" {
			t.Errorf("Copy() = %q, %v, want what was pinned", out.String(), err)
		}
		in.Close()
	}
}

// Growth while a task has the file itself is an error if the task read what came on top.
func TestAFileThatGrowsWhileATaskHasIt(t *testing.T) {
	for read, says := range map[int64]string{4: "", 6: "grew while the task read it"} {
		r := tagged(t, "one\n")
		in, err := OpenAll([]spec.Range{r}, nil)
		if err != nil {
			t.Fatal(err)
		}
		f := in.First().(*os.File)
		appendTo(t, r.Path, "two\n")
		if _, err := f.Seek(read, 0); err != nil {
			t.Fatal(err)
		}
		if err := in.CompareFirst(f); (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("CompareFirst after %d bytes = %v, want %q", read, err, says)
		}
		_ = f.Close()
		in.Close()
	}
}

func TestWhatBecameOfAnInput(t *testing.T) {
	rewrite := func(path, text string) error { return os.WriteFile(path, []byte(text), 0o644) }
	rotate := func(path, text string) error {
		if err := os.Rename(path, path+".1"); err != nil {
			return err
		}
		return rewrite(path, text)
	}
	for _, c := range []struct {
		become func(path, text string) error
		text   string
		says   string
	}{
		{rewrite, "o", "was cut since submission: it has 1 bytes, it had 8"},
		{rewrite, "ONE\nTWO\nthree\n", "was written anew since submission: it has 14 bytes, it had 8, and those are others"},
		{rewrite, "one\nTWO\n", "changed since submission: written at"},
		{rotate, "", "was replaced by another file (rotated"},
		{rotate, "ONE\nTWO\n", "was replaced by another file (rotated"},
		{rotate, "one\ntwo\nthree\n", "was replaced by another file (rotated"},
	} {
		r := tagged(t, "one\ntwo\n")
		before, err := os.Stat(r.Path)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.become(r.Path, c.text); err != nil {
			t.Fatal(err)
		}
		later := before.ModTime().Add(1e9)
		if err := os.Chtimes(r.Path, later, later); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenAll([]spec.Range{r}, nil); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want %q", c.text, err, c.says)
		}
	}
}
