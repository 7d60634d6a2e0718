package spec

import (
	"iter"
	"slices"
)

// File is an input file as the client found it.
type File struct {
	Path  string
	Size  int64
	MTime int64  // Unix nanoseconds
	Tag   string // of a URL, if it has one; of a file see FileTag
	// Unended says that the file's last line has, or may have, no line end.
	Unended bool
	// Head is the length of the header that each task gets, in bytes.
	Head int64
	// Cuts are where the file may be cut, in order, after Head; nil for anywhere. See CutsOf.
	Cuts []int64
}

// MaxRanges bounds the ranges of one split: a million empty files make many tasks, not one with a
// list of inputs that no process can take.
const MaxRanges = 4096

// Splits makes tasks of files, in their order, lazily: pieces of about split bytes, or group files
// each, or one file each when both are 0. Every byte of every file is in exactly one split. By
// split, none is larger than split; large files are cut into even pieces, and small ones share.
func Splits(files []File, split int64, group int) iter.Seq[Split] {
	switch {
	case split > 0:
		return func(yield func(Split) bool) { bySize(files, split, yield) }
	case group > 0:
		return byCount(files, min(group, MaxRanges))
	}
	return byCount(files, 1)
}

// CountSplits is how many splits Splits makes. It stops counting above MaxTasks.
func CountSplits(files []File, split int64, group int) int {
	if split <= 0 {
		per := max(1, min(group, MaxRanges))
		return (len(files) + per - 1) / per
	}
	n := 0
	for range Splits(files, split, group) {
		if n++; n > MaxTasks {
			break
		}
	}
	return n
}

func byCount(files []File, per int) iter.Seq[Split] {
	return func(yield func(Split) bool) {
		for group := range slices.Chunk(files, per) {
			var one Split
			hasLines := slices.ContainsFunc(group, func(f File) bool { return f.Head > 0 })
			for i, f := range group {
				if i > 0 && hasLines {
					one.end(group[i-1])
				}
				one.add(f)
			}
			if !yield(one) {
				return
			}
		}
	}
}

func bySize(files []File, split int64, yield func(Split) bool) {
	var open Split // small files that still share
	var held int64
	flush := func() bool {
		full := open
		open, held = Split{}, 0
		return len(full.Ranges) == 0 || yield(full)
	}
	for i, f := range files {
		if held+f.Size > split || len(open.Ranges) == MaxRanges {
			if !flush() {
				return
			}
		}
		if f.Size > split {
			if !f.cut(split, yield) {
				return
			}
			continue
		}
		if len(open.Ranges) > 0 {
			open.end(files[i-1])
		}
		open.add(f)
		held += f.Size
	}
	flush()
}

// add adds a whole file to the split, without its header if another file has brought that.
func (s *Split) add(f File) {
	from := int64(0)
	if len(s.Ranges) > 0 {
		from = f.Head
	}
	s.Ranges = append(s.Ranges, f.piece(from, f.Size-from))
}

// end keeps the last line of a file apart from the first one of the file that follows it. What is grouped without being
// cut at lines follows each other as it is, because it may be no text.
func (s *Split) end(f File) {
	s.Ranges[len(s.Ranges)-1].Ends = f.Unended
}

// cut yields a large file in even pieces of at most split bytes: a last piece of a few bytes would
// be a task of its own for nothing. The header comes on top.
func (f File) cut(split int64, yield func(Split) bool) bool {
	if f.Cuts != nil {
		return f.cutAt(slices.Values(f.Cuts), yield)
	}
	return f.cutAt(f.even(split), yield)
}

// even returns where a file is cut into even pieces.
func (f File) even(split int64) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		size := f.Size - f.Head
		n := (size-1)/split + 1
		for i, at := int64(1), f.Head; i < n; i++ {
			at += size / n
			if i <= size%n {
				at++
			}
			if !yield(at) {
				return
			}
		}
	}
}

// CutsOf returns where a file should be cut, if it were cut anywhere. A file of records has its Cuts at
// the first ends of records from these on.
func (f File) CutsOf(split int64) []int64 { return slices.Collect(f.even(split)) }

func (f File) cutAt(cuts iter.Seq[int64], yield func(Split) bool) bool {
	from := int64(0)
	piece := func(to int64) bool {
		var s Split
		if from > 0 && f.Head > 0 {
			s.Ranges = append(s.Ranges, f.piece(0, f.Head))
		}
		s.Ranges = append(s.Ranges, f.piece(from, to-from))
		from = to
		return yield(s)
	}
	for at := range cuts {
		if !piece(at) {
			return false
		}
	}
	return piece(f.Size)
}

func (f File) piece(offset, length int64) Range {
	return Range{Path: f.Path, Size: f.Size, MTime: f.MTime, Tag: f.Tag, Offset: offset, Length: length}
}
