package lines

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lull/subjects/spec"
)

// pins writes files and returns a range for each.
func pins(t testing.TB, n int) (ranges []spec.Range) {
	t.Helper()
	dir := t.TempDir()
	for i := range n {
		path := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(path, fmt.Appendf(nil, "%05d\n", i), 0o644); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		ranges = append(ranges, spec.Range{Path: path, Size: 6, MTime: info.ModTime().UnixNano(), Length: 6})
	}
	return ranges
}

// swap replaces a file by one with the same size and time but another content.
func swap(t *testing.T, r spec.Range) {
	t.Helper()
	info, err := os.Stat(r.Path)
	if err != nil {
		t.Fatal(err)
	}
	other := r.Path + "-other"
	if err := os.WriteFile(other, []byte("other\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(other, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(other, r.Path); err != nil {
		t.Fatal(err)
	}
}

// A file that is swapped for another of the same size and time is not read. A file that stayed open
// is read as it was, and one beyond held is an error.
func TestASwappedFileIsNotRead(t *testing.T) {
	for _, at := range []int{0, held - 1, held, held + 9} {
		ranges := pins(t, held+10)
		in, err := OpenAll(ranges, nil)
		if err != nil {
			t.Fatal(err)
		}
		swap(t, ranges[at])
		var out bytes.Buffer
		_, err = in.Copy(&out)
		if strings.Contains(out.String(), "other") {
			t.Errorf("file %d: the swapped one is read, want an error", at)
		}
		if at < held && err != nil || at >= held && (err == nil || !strings.Contains(err.Error(), ranges[at].Path+": changed while")) {
			t.Errorf("file %d: Copy() = %v, want an error from file %d on", at, err, held)
		}
		in.Close()
	}
}

// A file that is written to after OpenAll is an error.
func TestAFileThatChangesAfterTheLook(t *testing.T) {
	ranges := pins(t, 2)
	ranges[1].MTime = 0 // unpinned: the first look decides
	in, err := OpenAll(ranges, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := os.Chtimes(ranges[1].Path, time.Unix(1, 0), time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Copy(io.Discard); err == nil || !strings.Contains(err.Error(), ranges[1].Path) {
		t.Errorf("Copy() = %v, want an error of the second file", err)
	}
}

// A task may have more inputs than a process has descriptors.
func TestManyInputsNeedFewDescriptors(t *testing.T) {
	ranges := pins(t, 3*held)
	open, most := 0, 0
	in, err := OpenAll(ranges, func(path string) (File, error) {
		f, err := OpenFile(path)
		open++
		most = max(most, open)
		return &counted{f, &open}, err
	})
	if err != nil {
		t.Fatal(err)
	}
	n, err := in.Copy(io.Discard)
	in.Close()
	if n != 6*3*held || err != nil || most > held+1 || open != 0 {
		t.Errorf("Copy() = %d bytes, %v with %d files open at most, %d at the end, want %d, at most %d, 0", n, err, most, open, 6*3*held, held+1)
	}
}

type counted struct {
	File
	open *int
}

func (c *counted) Close() error {
	*c.open--
	return c.File.Close()
}

// Two ranges of one file share it, whether it stayed open or not.
func TestRangesOfOneFileShareIt(t *testing.T) {
	r := pins(t, 1)[0]
	a, b := r, r
	a.Length, b.Offset, b.Length = 3, 3, 3
	var out bytes.Buffer
	if n, err := copyAll(&out, []spec.Range{a, b, r}, nil); n != 12 || err != nil || out.String() != "00000\n00000\n" {
		t.Errorf("Copy() = %d, %v, %q, want 12", n, err, out.String())
	}
}
