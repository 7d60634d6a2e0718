package stdin

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"
)

// piped returns an input that reads a pipe, and the pipe's other end.
func piped(t *testing.T) (*Input, *os.File) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := Of(read, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = write.Close() // the test may have closed it
		if err := errors.Join(in.Close(), read.Close()); err != nil {
			t.Error(err)
		}
	})
	return in, write
}

// open opens the stdin of an attempt as a shim does.
func open(t *testing.T, in *Input, attempt uint64) *os.File {
	t.Helper()
	path, err := in.Open(in.Name(), attempt)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() }) // only read
	return f
}

func write(t *testing.T, to *os.File, text string) {
	t.Helper()
	if _, err := to.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

func expect(t *testing.T, from io.Reader, want string) {
	t.Helper()
	got := make([]byte, len(want))
	if _, err := io.ReadFull(from, got); err != nil || string(got) != want {
		t.Fatalf("read = %q, %v, want %q", got, err, want)
	}
}

func TestAnAttemptReadsBytesAsTheyComeAndTheNextBeginsAnew(t *testing.T) {
	in, to := piped(t)
	first := open(t, in, 1)
	write(t, to, "a\n")
	expect(t, first, "a\n")
	write(t, to, "b\n")
	expect(t, first, "b\n")
	second := open(t, in, 2)
	expect(t, second, "a\nb\n")
	write(t, to, "c\n")
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(second)
	if err != nil || string(rest) != "c\n" {
		t.Errorf("rest = %q, %v, want c", rest, err)
	}
	whole, err := io.ReadAll(open(t, in, 3))
	if err != nil || string(whole) != "a\nb\nc\n" {
		t.Errorf("the third attempt read %q, %v, want a, b and c", whole, err)
	}
}

// Nothing is read far ahead of the attempt: what writes without end must not fill the disk.
func TestAWriterWaitsForTheAttempt(t *testing.T) {
	in, to := piped(t)
	var wrote atomic.Int64
	done := make(chan error, 1)
	go func() {
		line := bytes.Repeat([]byte("y\n"), 32<<10)
		for {
			n, err := to.Write(line)
			wrote.Add(int64(n))
			if err != nil {
				done <- err
				return
			}
		}
	}()
	from := open(t, in, 1)
	const taken = 4 << 20
	if _, err := io.CopyN(io.Discard, from, taken); err != nil {
		t.Fatal(err)
	}
	if most, n := int64(taken+2*window), wrote.Load(); n > most {
		t.Errorf("the writer wrote %d bytes, want at most %d while the attempt took %d", n, most, taken)
	}
	if err := errors.Join(to.Close(), in.Close()); err != nil {
		t.Fatal(err)
	}
	if err := <-done; !errors.Is(err, os.ErrClosed) {
		t.Errorf("Write() = %v, want the closed pipe", err)
	}
}

// A disk without room costs the second attempt, not the first one.
func TestWithoutRoomTheInputIsReadOnce(t *testing.T) {
	in, to := piped(t)
	kept, err := newStore(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	kept.narrow = true
	in.mu.store = kept
	want := strings.Repeat("0123456789abcdef", 512<<10)
	from := open(t, in, 1)
	go in.pump(kept)
	go func() { _, _ = to.WriteString(want); _ = to.Close() }() // the reader checks what it got
	got, err := io.ReadAll(from)
	if err != nil || string(got) != want {
		t.Fatalf("read %d bytes, %v, want all %d", len(got), err, len(want))
	}
	if _, err := in.Open(in.Name(), 2); !errors.Is(err, errTwice) {
		t.Errorf("the second Open() = %v, want %v", err, errTwice)
	}
	var is unix.Stat_t
	if err := unix.Fstat(int(kept.file.Fd()), &is); err != nil || is.Blocks*512 > 2*window {
		t.Errorf("%d bytes are on disk, %v, want at most %d", is.Blocks*512, err, 2*window)
	}
}

func TestWhatHasNothingToGive(t *testing.T) {
	dir := t.TempDir()
	empty, full, folder := filepath.Join(dir, "empty"), filepath.Join(dir, "full"), dir
	if err := errors.Join(os.WriteFile(empty, nil, 0o600), os.WriteFile(full, []byte("x"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path    string
		flags   int
		none    bool
		waiting bool
		err     error
	}{
		{os.DevNull, os.O_RDONLY, true, false, nil},
		{"/dev/zero", os.O_RDONLY, false, false, nil},
		{empty, os.O_RDONLY, true, false, nil},
		{full, os.O_RDONLY, false, true, nil},
		{full, os.O_WRONLY, true, false, nil},
		{folder, os.O_RDONLY, true, false, ErrFolder},
	} {
		f, err := os.OpenFile(c.path, c.flags, 0)
		if err != nil {
			t.Fatal(err)
		}
		in, err := Of(f, dir)
		if (in == nil) != c.none || !errors.Is(err, c.err) {
			t.Errorf("Of(%s, %o) = %v, %v, want none %v, error %v", c.path, c.flags, in, err, c.none, c.err)
		}
		if got := Waiting(f); got != c.waiting {
			t.Errorf("Waiting(%s, %o) = %v, want %v", c.path, c.flags, got, c.waiting)
		}
		if err := errors.Join(in.Close(), f.Close()); err != nil {
			t.Error(err)
		}
	}
}

// The task opens a file by itself, so that it can seek, unless a part of the file was read before.
func TestAFileIsReadFromWhereItsReaderStopped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list")
	if err := os.WriteFile(path, []byte("head\nrest\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for skip, want := range map[int64]string{0: "head\nrest\n", 5: "rest\n"} {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Seek(skip, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		in, err := Of(f, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		for attempt := range uint64(2) {
			opened := open(t, in, attempt+1)
			got, err := io.ReadAll(opened)
			if err != nil || string(got) != want {
				t.Errorf("attempt %d after %d bytes read %q, %v, want %q", attempt+1, skip, got, err, want)
			}
			if info, err := opened.Stat(); err != nil || info.Mode().IsRegular() != (skip == 0) {
				t.Errorf("after %d bytes it opened %v, %v, want the file itself only after none", skip, info.Mode(), err)
			}
		}
		if err := errors.Join(in.Close(), f.Close()); err != nil {
			t.Error(err)
		}
	}
}

// A failed read must not look like the end: the attempt would take half an input for the whole.
func TestAFailedReadGivesNoEndOfFile(t *testing.T) {
	in, to := piped(t)
	from := open(t, in, 1)
	write(t, to, "half")
	expect(t, from, "half")
	in.took(in.mu.store, nil, unix.EIO)
	<-in.Broken()
	if err := in.Err(); !errors.Is(err, unix.EIO) {
		t.Errorf("Err() = %v, want %v", err, unix.EIO)
	}
	fd := int(from.Fd()) // which makes it wait
	if err := unix.SetNonblock(fd, true); err != nil {
		t.Fatal(err)
	}
	if n, err := unix.Read(fd, make([]byte, 1)); !errors.Is(err, unix.EAGAIN) {
		t.Errorf("read = %d, %v, want %v rather than the end of file", n, err, unix.EAGAIN)
	}
}

func TestAnotherNameIsRefused(t *testing.T) {
	in, _ := piped(t)
	for _, c := range []*Input{nil, in} {
		if _, err := c.Open("OTHER", 1); !errors.Is(err, errGone) {
			t.Errorf("Open() of another input = %v, want %v", err, errGone)
		}
	}
}

func TestAnInputIsSentWholeOrNotAtAll(t *testing.T) {
	for size, want := range map[int]error{0: nil, 10: nil, 11: ErrTooLarge} {
		in, to := piped(t)
		write(t, to, strings.Repeat("x", size))
		if err := to.Close(); err != nil {
			t.Fatal(err)
		}
		whole, err := in.Whole(t.TempDir(), 10)
		if !errors.Is(err, want) || (whole == nil) != (size == 0 || want != nil) {
			t.Fatalf("Whole() of %d bytes = %v, %v, want error %v", size, whole, err, want)
		}
		if whole == nil {
			continue
		}
		if got, err := os.ReadFile(PathOf(whole)); err != nil || len(got) != size {
			t.Errorf("the file has %d bytes, %v, want %d", len(got), err, size)
		}
		if err := whole.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestAwaitReportsWhetherBytesCame(t *testing.T) {
	for _, text := range []string{"", "x"} {
		read, to, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		came := make(chan bool, 1)
		go func() { came <- Await(read) }()
		write(t, to, text)
		if err := to.Close(); err != nil {
			t.Fatal(err)
		}
		if got := <-came; got != (text != "") {
			t.Errorf("Await() with %q = %v", text, got)
		}
		if err := read.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestAFileOfProcHasBytesThoughItsSizeIsZero(t *testing.T) {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		t.Skip("needs /proc")
	}
	defer f.Close() //nolint:errcheck // only read
	in, err := Of(f, t.TempDir())
	if err != nil || in == nil {
		t.Fatalf("Of(/proc/self/status) = %v, %v; want an input", in, err)
	}
	got, err := io.ReadAll(open(t, in, 1))
	if err != nil || !bytes.HasPrefix(got, []byte("Name:")) {
		t.Errorf("an attempt read %.20q, %v; want the file from its first byte", got, err)
	}
}
