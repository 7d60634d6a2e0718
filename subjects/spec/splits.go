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
	Tag   string // of a URL, if it has one
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
			ranges := make([]Range, len(group))
			for i, f := range group {
				ranges[i] = f.piece(0, f.Size)
			}
			if !yield(Split{Ranges: ranges}) {
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
	for _, f := range files {
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
		open.Ranges = append(open.Ranges, f.piece(0, f.Size))
		held += f.Size
	}
	flush()
}

// cut yields a large file in even pieces of at most split bytes: a last piece of a few bytes would
// be a task of its own for nothing.
func (f File) cut(split int64, yield func(Split) bool) bool {
	n := (f.Size-1)/split + 1
	length, longer := f.Size/n, f.Size%n
	for i, offset := int64(0), int64(0); i < n; i++ {
		size := length
		if i < longer {
			size++
		}
		if !yield(Split{Ranges: []Range{f.piece(offset, size)}}) {
			return false
		}
		offset += size
	}
	return true
}

func (f File) piece(offset, length int64) Range {
	return Range{Path: f.Path, Size: f.Size, MTime: f.MTime, Tag: f.Tag, Offset: offset, Length: length}
}
