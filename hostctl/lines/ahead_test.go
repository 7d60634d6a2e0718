package lines

import (
	"io"
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"lull/subjects/spec"
)

// forget makes the kernel drop the pages of files, and reports whether it did.
func forget(tb testing.TB, ranges []spec.Range) bool {
	tb.Helper()
	gone := true
	for _, r := range ranges {
		f, err := os.Open(r.Path)
		if err != nil {
			tb.Fatal(err)
		}
		err = unix.Fdatasync(int(f.Fd()))
		if err == nil {
			err = unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED)
		}
		if err != nil {
			tb.Fatal(err)
		}
		gone = gone && cached(tb, f) == 0
		_ = f.Close()
	}
	return gone
}

// cached returns how many pages of a file are in memory, or are being read.
func cached(tb testing.TB, f *os.File) uint64 {
	tb.Helper()
	var stat unix.Cachestat_t
	if err := unix.Cachestat(uint(f.Fd()), &unix.CachestatRange{}, &stat, 0); err != nil {
		tb.Skip("needs cachestat(2), Linux 6.5:", err)
	}
	return stat.Cache
}

// Small files that are not in memory are read from the time they are opened.
func TestManySmallFilesAreReadAhead(t *testing.T) {
	ranges := pins(t, 3)
	if !forget(t, ranges) {
		t.Skip("needs a temporary folder on a disk: its files stay in memory")
	}
	in, err := OpenAll(ranges, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	for _, f := range in.files {
		if cached(t, f.file.(*os.File)) == 0 {
			t.Error("bytes of a file in the cache = 0, want it read ahead")
		}
	}
}

// A task's memory has room for some files that are not needed yet, not for all.
func TestReadingAheadIsBounded(t *testing.T) {
	r := pins(t, 1)[0]
	f, err := os.Open(r.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // only read
	soon := ahead{left: 5 << 10}
	for _, c := range []struct{ length, left int64 }{{bufferBytes + 1, 5 << 10}, {6, 1 << 10}, {6, 1 << 10}} {
		if soon.begin(f, spec.Range{Length: c.length}); soon.left != c.left {
			t.Errorf("after a file of %d bytes %d more are read ahead, want %d", c.length, soon.left, c.left)
		}
	}
}

// What a reduce task of a large shuffle reads, with its files on the disk alone, and in memory.
func BenchmarkManySmallFiles(b *testing.B) {
	for name, dropped := range map[string]bool{"on disk": true, "in memory": false} {
		b.Run(name, func(b *testing.B) {
			ranges := pins(b, 200)
			for range b.N {
				if dropped {
					b.StopTimer()
					forget(b, ranges)
					b.StartTimer()
				}
				if _, err := copyAll(io.Discard, ranges, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
