package spec

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func drawFiles(t *rapid.T) []File {
	sizes := rapid.SliceOfN(rapid.OneOf(rapid.Int64Range(0, 20), rapid.Int64Range(0, 1000)), 0, 60).Draw(t, "sizes")
	files := make([]File, len(sizes))
	for i, size := range sizes {
		files[i] = File{Path: fmt.Sprintf("/f%d", i), Size: size, MTime: int64(i)}
	}
	return files
}

// TestEveryByteIsInExactlyOneSplit walks the ranges in order: they tile each
// file from its first byte to its last, and no file is left out.
func TestEveryByteIsInExactlyOneSplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		files := drawFiles(t)
		split := rapid.Int64Range(0, 300).Draw(t, "split")
		group := rapid.IntRange(0, 5).Draw(t, "group")
		n, next, offset := 0, 0, int64(0)
		for s := range Splits(files, split, group) {
			n++
			if err := s.Validate(); err != nil || len(s.Ranges) == 0 {
				t.Fatalf("split %+v: Validate() = %v, want ranges and no error", s, err)
			}
			for _, r := range s.Ranges {
				f := files[next]
				if r.Path != f.Path || r.Size != f.Size || r.MTime != f.MTime || r.Tag != f.Tag || r.Offset != offset {
					t.Fatalf("range %+v, want the next one at byte %d of %+v", r, offset, f)
				}
				if offset += r.Length; offset == f.Size {
					next, offset = next+1, 0
				}
			}
		}
		if next != len(files) {
			t.Fatalf("ranges end in file %d of %d at byte %d, want all files covered", next, len(files), offset)
		}
		if c := CountSplits(files, split, group); c != n {
			t.Fatalf("CountSplits = %d, want %d, as there are", c, n)
		}
	})
}

// TestCountingSplitsEnds: a petabyte in splits of a byte is refused at once, not in years.
func TestCountingSplitsEnds(t *testing.T) {
	if n := CountSplits([]File{{Path: "/large", Size: 1 << 50}}, 1, 0); n <= MaxTasks {
		t.Errorf("CountSplits(a file of 1 PiB, splits of a byte) = %d, want more than %d", n, MaxTasks)
	}
}

// TestSplitsAreAboutTheirSize: none is larger, and no two neighbours would have
// fitted into one.
func TestSplitsAreAboutTheirSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		split := rapid.Int64Range(1, 300).Draw(t, "split")
		last := split
		for s := range Splits(drawFiles(t), split, 0) {
			size := int64(0)
			for _, r := range s.Ranges {
				size += r.Length
			}
			if size > split {
				t.Fatalf("a split of %d bytes, want at most %d", size, split)
			}
			if size+last < split/2 {
				t.Fatalf("splits of %d and %d bytes side by side, want at least half of %d together", last, size, split)
			}
			last = size
		}
	})
}

func TestGroupsAndSingles(t *testing.T) {
	files := make([]File, 7)
	for _, c := range []struct{ group, want int }{{0, 7}, {1, 7}, {3, 3}, {7, 1}, {100, 1}} {
		if got := len(slices.Collect(Splits(files, 0, c.group))); got != c.want {
			t.Errorf("group %d: %d splits, want %d", c.group, got, c.want)
		}
	}
}

func TestEmptyFilesDoNotMakeOneEndlessTask(t *testing.T) {
	n := 0
	for s := range Splits(make([]File, 2*MaxRanges+1), 1<<20, 0) {
		n++
		if len(s.Ranges) > MaxRanges {
			t.Fatalf("ranges in one split = %d, want at most %d", len(s.Ranges), MaxRanges)
		}
	}
	if n != 3 {
		t.Errorf("%d splits, want 3", n)
	}
}

func TestSplitsCanBeLeftEarly(t *testing.T) {
	files := []File{{Path: "/a", Size: 100}, {Path: "/b", Size: 3}, {Path: "/c", Size: 9}}
	for _, split := range []int64{0, 4, 8, 200} {
		for range Splits(files, split, 0) {
			break
		}
	}
}

func BenchmarkSplitsMillionFiles(b *testing.B) {
	files := make([]File, 1_000_000)
	for i := range files {
		files[i] = File{Path: "/some/file", Size: int64(i % 5000)}
	}
	for b.Loop() {
		for range Splits(files, 64<<20, 0) {
		}
	}
}

// TestSplitsCanBeReadTwice: a client looks whether few splits fit into the
// document, and reads them again when they do not.
func TestSplitsCanBeReadTwice(t *testing.T) {
	files := []File{{Path: "/a", Size: 10}, {Path: "/b", Size: 10}, {Path: "/c", Size: 10}}
	for _, seq := range []iter.Seq[Split]{Splits(files, 0, 2), Splits(files, 15, 0), Splits(files, 0, 0)} {
		first, second := slices.Collect(seq), slices.Collect(seq)
		if len(first) == 0 || !reflect.DeepEqual(first, second) {
			t.Errorf("splits at first %v, then %v, want the same and at least one", first, second)
		}
	}
}
