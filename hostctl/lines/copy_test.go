package lines

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lull/subjects/spec"
)

// memory is a file that exists only in a test.
type memory struct{ *bytes.Reader }

func (m memory) Close() error               { return nil }
func (m memory) Stat() (fs.FileInfo, error) { return m, nil }
func (m memory) Name() string               { return "memory" }
func (m memory) Mode() fs.FileMode          { return 0o644 }
func (m memory) ModTime() time.Time         { return time.Unix(0, 7) }
func (m memory) IsDir() bool                { return false }
func (m memory) Sys() any                   { return nil }

func openText(text []byte) Open {
	return func(string) (File, error) { return memory{bytes.NewReader(text)}, nil }
}

// copyAll opens the ranges and copies their lines to w.
func copyAll(w io.Writer, ranges []spec.Range, open Open) (int64, error) {
	in, err := OpenAll(ranges, open)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	return in.Copy(w)
}

// texts have short, empty and very long lines, and perhaps no final line end.
func texts() *rapid.Generator[[]byte] {
	line := rapid.OneOf(
		rapid.StringMatching(`[a-z]{0,12}`),
		rapid.Just(""),
		rapid.Map(rapid.IntRange(1, 3*bufferBytes), func(n int) string { return strings.Repeat("x", n) }),
	)
	return rapid.Custom(func(t *rapid.T) []byte {
		text := strings.Join(rapid.SliceOfN(line, 0, 12).Draw(t, "lines"), "\n")
		if rapid.Bool().Draw(t, "final line end") {
			text += "\n"
		}
		return []byte(text)
	})
}

// cut returns the ranges between random cuts, and so all of the file.
func cut(t *rapid.T, size int64) []spec.Range {
	cuts := rapid.SliceOf(rapid.Int64Range(0, size)).Draw(t, "cuts")
	cuts = append(cuts, 0, size)
	slices.Sort(cuts)
	var ranges []spec.Range
	for i := range cuts[1:] {
		ranges = append(ranges, spec.Range{Path: "memory", Size: size, MTime: 7, Offset: cuts[i], Length: cuts[i+1] - cuts[i]})
	}
	return ranges
}

// linesTwin computes by the rule what a range contains: each line whose first byte lies in it.
func linesTwin(text []byte, r spec.Range) []byte {
	var held []byte
	at := int64(0)
	for line := range bytes.Lines(text) {
		if r.Offset <= at && at < r.Offset+r.Length {
			held = append(held, line...)
		}
		at += int64(len(line))
	}
	return held
}

func TestRangesAreTheFile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := texts().Draw(t, "text")
		var all bytes.Buffer
		for _, r := range cut(t, int64(len(text))) {
			before := all.Len()
			n, err := copyAll(&all, []spec.Range{r}, openText(text))
			if err != nil || n != int64(all.Len()-before) {
				t.Fatalf("Copy() = %d, %v, want %d as written", n, err, all.Len()-before)
			}
			if got, want := all.Bytes()[before:], linesTwin(text, r); !bytes.Equal(got, want) {
				t.Fatalf("range %d+%d holds %d bytes, want %d", r.Offset, r.Length, len(got), len(want))
			}
		}
		if !bytes.Equal(all.Bytes(), text) {
			t.Fatalf("the ranges together = %d bytes, want the %d of the file", all.Len(), len(text))
		}
	})
}

func TestAllRangesAtOnce(t *testing.T) {
	text := []byte("one\n\ntwo\nthree")
	whole := spec.Range{Size: 14, Length: 14}
	var out bytes.Buffer
	if n, err := copyAll(&out, []spec.Range{whole, whole}, openText(text)); n != 28 || err != nil {
		t.Errorf("Copy(twice the same) = %d, %v, want 28", n, err)
	}
	if got := out.String(); got != "one\n\ntwo\nthreeone\n\ntwo\nthree" {
		t.Errorf("copied = %q, want one, an empty line, two and three, twice", got)
	}
}

func TestImpossibleRanges(t *testing.T) {
	for _, r := range []spec.Range{
		{Size: 3, Offset: -1, Length: 1},
		{Size: 3, Length: -1},
		{Size: 3, Offset: 1 << 62, Length: 1 << 62},
	} {
		var broken *InputError
		if _, err := copyAll(io.Discard, []spec.Range{r}, openText([]byte("abc"))); !errors.As(err, &broken) {
			t.Errorf("%+v: %v, want an InputError", r, err)
		}
	}
	if n, err := copyAll(io.Discard, []spec.Range{{Size: 3, Offset: 9, Length: 9}}, openText([]byte("abc"))); n != 0 || err != nil {
		t.Errorf("behind the end: %d, %v, want nothing", n, err)
	}
}

// full is a task that reads no further.
type full struct{ room int }

var errFull = errors.New("the pipe is full")

func (f *full) Write(b []byte) (int, error) {
	n := min(f.room, len(b))
	f.room -= n
	if n < len(b) {
		return n, errFull
	}
	return n, nil
}

func TestWriterThatStops(t *testing.T) {
	n, err := copyAll(&full{room: 5}, []spec.Range{{Size: 9, Length: 9}}, openText([]byte("some text")))
	if n != 5 || !errors.Is(err, errFull) {
		t.Errorf("Copy to a writer with room for 5 = %d, %v, want 5 and the writer's error", n, err)
	}
	var broken *InputError
	if errors.As(err, &broken) {
		t.Errorf("Copy to a broken output = %v, want an error other than of the input", err)
	}
}

func TestFileShrinksWhileItIsRead(t *testing.T) {
	open := func(string) (File, error) {
		return shrunk{memory{bytes.NewReader(make([]byte, 100))}}, nil
	}
	_, err := copyAll(io.Discard, []spec.Range{{Path: "p", Size: 100, Length: 100}}, open)
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("Copy(a file cut short) = %v, want an unexpected end", err)
	}
}

type shrunk struct{ memory }

func (s shrunk) ReadAt([]byte, int64) (int, error) { return 0, io.EOF }

// TestPinsOfAnyYear: nanoseconds since 1970 are negative before it, and no longer fit after 2262.
func TestPinsOfAnyYear(t *testing.T) {
	path := filepath.Join(t.TempDir(), "input")
	if err := os.WriteFile(path, []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, year := range []int{1930, 1970, 2300} {
		then := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
		if err := os.Chtimes(path, then, then); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path) // not all file systems keep all years
		if err != nil {
			t.Fatal(err)
		}
		r := spec.Range{Path: path, Size: 4, MTime: info.ModTime().UnixNano(), Length: 4}
		in, err := OpenAll([]spec.Range{r}, nil)
		if err != nil {
			t.Errorf("OpenAll(a file of the year %d) = %v, want no error", year, err)
			continue
		}
		in.Close()
	}
}

func TestPins(t *testing.T) {
	path := filepath.Join(t.TempDir(), "input")
	if err := os.WriteFile(path, []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	then := time.Unix(1_700_000_000, 5)
	if err := os.Chtimes(path, then, then); err != nil {
		t.Fatal(err)
	}
	good := spec.Range{Path: path, Size: 4, MTime: then.UnixNano(), Length: 4}
	unchecked, longer, later, missing, folder, pipe := good, good, good, good, good, good
	pipe.Path = path + "-pipe"
	if err := syscall.Mkfifo(pipe.Path, 0o644); err != nil {
		t.Fatal(err)
	}
	unchecked.MTime, longer.Size, later.MTime = 0, 9, then.UnixNano()+1
	missing.Path, folder.Path = path+"-no", filepath.Dir(path)
	for _, c := range []struct {
		r    spec.Range
		says string
	}{
		{good, ""},
		{unchecked, ""},
		{longer, "it has 4 bytes, it had 9"},
		{later, "2023-11-14 22:13:20.000000005Z, it was of 2023-11-14 22:13:20.000000006Z"},
		{missing, "no such file"},
		{folder, "is a folder, not a regular file"},
		{pipe, "is a named pipe, not a regular file"},
	} {
		in, err := OpenAll([]spec.Range{good, c.r}, nil)
		if err == nil {
			in.Close()
		}
		if c.says == "" && err == nil {
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.HasPrefix(err.Error(), "input "+c.r.Path+": ") {
			t.Errorf("%+v: %v, want %q", c.r, err, c.says)
		}
	}
}

func BenchmarkCopy(b *testing.B) {
	text := bytes.Repeat([]byte("some words of a line\n"), 50_000)
	size := int64(len(text))
	b.SetBytes(size)
	for b.Loop() {
		if _, err := copyAll(io.Discard, []spec.Range{{Size: size, Offset: 1, Length: size - 1}}, openText(text)); err != nil {
			b.Fatal(err)
		}
	}
}
