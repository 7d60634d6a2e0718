package store

import (
	"context"
	"io/fs"
	"path/filepath"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"lull/subjects"
	"lull/subjects/manifest"
)

// Progress is how far a commit has come. Its methods are safe for concurrent use.
type Progress struct {
	folder Folder
	hashed atomic.Int64
	whole  func() int64
}

// NewProgress returns the progress of a commit that has not begun.
func NewProgress(f Folder) *Progress {
	return &Progress{folder: f, whole: sync.OnceValue(func() int64 { return stored(f.Out()) })}
}

// Commit is Folder.Commit, and notes how far that has come.
func (p *Progress) Commit(ctx context.Context) (manifest.Manifest, subjects.Digest, error) {
	return commit(ctx, p.folder, p)
}

// Bytes returns how many bytes were hashed, of how many. The first call looks at all files.
func (p *Progress) Bytes() (hashed, whole int64) {
	hashed = p.hashed.Load()
	return hashed, max(hashed, p.whole())
}

// add notes that so many more bytes were hashed.
func (p *Progress) add(n int64) {
	if p != nil {
		p.hashed.Add(n)
	}
}

// mostCounted bounds the files that stored looks at: some 0.2 s.
const mostCounted = 100_000

// stored returns the bytes of the files below a folder that are not in holes. It follows no link.
func stored(folder string) (bytes int64) {
	left := mostCounted
	_ = filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		var st unix.Stat_t
		if err == nil && unix.Lstat(path, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFREG {
			bytes += min(st.Size, 512*st.Blocks)
		}
		if left--; left <= 0 {
			return fs.SkipAll
		}
		return nil
	})
	return bytes
}
