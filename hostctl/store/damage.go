package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"lull/subjects"
	"lull/subjects/manifest"
)

// Verify reads all of a committed output and compares it with its manifest, and the manifest
// with the digest in the log. The files are hashed by the process of HashBy. Its error is
// ErrDamaged only if the bytes were read and are wrong, or if the disk cannot read them: see
// unreadable. Any other error (a file that is missing, a folder without permission, a missing
// mount, the end of ctx) says nothing about the bytes.
func (s *Store) Verify(ctx context.Context, t Task, attempt uint64, want subjects.Digest) error {
	if err := s.stays(); err != nil {
		return err
	}
	f := s.Folder(t, attempt)
	return unreadable(ctx, func() error {
		h := &hashing{ctx: ctx, start: s.hasher}
		defer h.close()
		return f.Output().verify(h, want)
	})
}

// mediumPause is the time between two reads that the disk refuses.
const mediumPause = time.Second

// unreadable calls read, and again after an I/O error. Two I/O errors mean that the bytes are
// damaged: a bad sector stays bad, while a disk that was reset reads well the second time.
func unreadable(ctx context.Context, read func() error) error {
	err := read()
	if !errors.Is(err, unix.EIO) {
		return err
	}
	select {
	case <-time.After(mediumPause):
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if err = read(); errors.Is(err, unix.EIO) {
		return manifest.Damaged("%w", err)
	}
	return err
}

// verify hashes every file that the manifest lists, and compares.
func (o Output) verify(h *hashing, want subjects.Digest) error {
	m, err := o.Listed(want)
	if err != nil {
		return err
	}
	for _, file := range m.Files {
		verify := o.verifyFile
		if !file.Regular() {
			verify = o.verifyEntry
		}
		if err := verify(h, file); err != nil {
			return err
		}
	}
	return nil
}

func (o Output) verifyFile(h *hashing, want manifest.File) error {
	file, err := o.Open(want.Path)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // read only
	info, err := file.Stat()
	if err == nil {
		err = fits(want, info)
	}
	if err != nil {
		return err
	}
	var data []manifest.Extent
	if want.Holes != nil {
		data = append([]manifest.Extent{}, want.Holes.Data...) // not nil
	}
	size, sum, err := h.sum(file, info.Size(), data)
	if err != nil {
		return err
	}
	return want.Check(size, sum)
}

// verifyEntry compares a link or an empty folder. It follows no link.
func (o Output) verifyEntry(_ *hashing, want manifest.File) error {
	at := filepath.Join(o.path, filepath.FromSlash(want.Path))
	if want.Folder {
		info, err := os.Lstat(at)
		if err == nil && !info.IsDir() {
			err = manifest.Damaged("%s is damaged: its manifest says that it is a folder", want.Path)
		}
		return err
	}
	target, err := os.Readlink(at)
	if errors.Is(err, unix.EINVAL) || err == nil && target != want.Link {
		return manifest.Damaged("link %s is damaged: it leads to %q, its manifest says %q", want.Path, target, want.Link)
	}
	return err
}

// maxAside is the number of damaged outputs of a job that are kept for a person to look at.
const maxAside = 8

// SetAside moves an attempt's folder to jobs/<job>/damaged, where no reader finds it, and returns
// its new path. It stays there as long as the job is kept, at most maxAside of a job.
func (s *Store) SetAside(t Task, attempt uint64) (string, error) {
	f, dir := s.Folder(t, attempt), filepath.Join(s.job(t.Job), "damaged")
	to := filepath.Join(dir, filepath.Base(f.Path))
	if err := os.MkdirAll(dir, folderMode); err != nil {
		return "", err
	}
	linked := f.linked()
	if err := os.Rename(f.Path, to); err != nil {
		return "", err
	}
	if linked {
		_ = removeFile(s.link(attempt)) // one that stays leads nowhere
	}
	return to, thin(dir)
}

// thin removes the oldest attempts of a folder until maxAside are left.
func thin(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var ids []uint64
	for _, e := range entries {
		if id, ok := attemptID(e.Name()); ok {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	for _, id := range ids[:max(0, len(ids)-maxAside)] {
		err = errors.Join(err, removeTree(filepath.Join(dir, "attempt-"+strconv.FormatUint(id, 10))))
	}
	return err
}

// fits compares a file's size with its manifest, without reading the file.
func fits(want manifest.File, info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return nil // reading it will say what it is
	}
	return want.Fits(info.Size())
}
