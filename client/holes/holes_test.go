package holes

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
	"testing/iotest"

	"golang.org/x/sys/unix"

	"lull/subjects/manifest"
)

// sparse makes a file of a gigabyte with two words in it.
func sparse(t *testing.T) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	for at, word := range map[int64]string{0: "begin", 1<<30 - 3: "end"} {
		if _, err := f.WriteAt([]byte(word), at); err != nil {
			t.Fatal(err)
		}
	}
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil || st.Blocks > 1<<20 {
		t.Skip("needs a file system with holes", err)
	}
	return f
}

func TestOnlyWhatIsNotInHolesIsRead(t *testing.T) {
	f := sparse(t)
	data, found := Find(f, 1<<30)
	if !found || len(data) != 2 {
		t.Fatalf("Find() = %v, %v, want two extents", data, found)
	}
	if err := iotest.TestReader(NewReader(f, data), mustRead(t, NewReader(f, data))); err != nil {
		t.Error(err)
	}
	body := mustRead(t, NewReader(f, data))
	if !bytes.HasPrefix(body, []byte("begin")) || !bytes.HasSuffix(body, []byte("end")) || len(body) > 1<<20 {
		t.Errorf("%d bytes were read, want few, from begin to end", len(body))
	}
	if at, err := f.Seek(0, io.SeekCurrent); err != nil || at != 0 {
		t.Errorf("Find() leaves the file at %d (%v), want at its beginning", at, err)
	}
}

func mustRead(t *testing.T, from io.Reader) []byte {
	t.Helper()
	b, err := io.ReadAll(from)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestAFileWithoutHolesHasNone(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // it is not what is tested
	if data, found := Find(f, 0); found {
		t.Errorf("Find(an empty file) = %v, true, want false", data)
	}
}

func TestWhatIsWrittenStandsInItsPlace(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // it is not what is tested
	data := []manifest.Extent{{Offset: 2, Length: 3}, {Offset: 7, Length: 1}}
	w := NewWriter(f, data)
	if _, err := w.Write([]byte("xx")); err != nil {
		t.Fatal(err)
	}
	w.Restart()
	if n, err := io.Copy(w, iotest.OneByteReader(bytes.NewReader([]byte("abcd")))); n != 4 || err != nil {
		t.Errorf("Copy() = %d, %v, want 4", n, err)
	}
	if n, err := w.Write([]byte("e")); n != 0 || err == nil {
		t.Errorf("Write(too much) = %d, %v, want an error", n, err)
	}
	if b, err := os.ReadFile(f.Name()); err != nil || string(b) != "\x00\x00abc\x00\x00d" {
		t.Errorf("the file holds %q (%v)", b, err)
	}
}
