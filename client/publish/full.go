package publish

import (
	"errors"
	"fmt"
	"path/filepath"

	"golang.org/x/sys/unix"

	"lull/subjects/humane"
)

// IsFull reports whether an error says that a disk, or a quota on it, has no room.
func IsFull(err error) bool { return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) }

// Full explains an error that comes from a full disk: which folder, how much is free and how many
// bytes were to be written there, and the remedy. It returns other errors as they are.
func Full(err error, folder string, bytes int64, remedy string) error {
	if !IsFull(err) {
		return err
	}
	free := ""
	if disk, err := diskOf(folder); err == nil {
		free = fmt.Sprintf("%s free, ", humane.Bytes(int64(disk.Bavail)*disk.Bsize))
	}
	return fmt.Errorf("no room in %s: %s%s to be written: %s: %w", folder, free, humane.Bytes(bytes), remedy, err)
}

// explainFull explains an error of this plan that comes from a full disk.
func explainFull(p Plan, err error) error { return explain(p, err, p.bytes()) }

func explain(p Plan, err error, bytes int64) error {
	remedy := fmt.Sprintf("free some space and publish again with `lull retry %s`, or fetch the results to another disk with `lull outputs %[1]s --to DIR`", p.Job)
	switch {
	case p.Attempt == 0: // a client's: the job has finished
		remedy = fmt.Sprintf("free some space, then fetch the results with `lull outputs %s --to DIR`", p.Job)
	case p.RetriesWhenFull && !errors.Is(err, ErrTooSmall):
		remedy = fmt.Sprintf("free some space, and the job goes on within a minute, or fetch the results to another disk with `lull outputs %s --to DIR`", p.Job)
	}
	return Full(err, p.Output, bytes, remedy)
}

// bytes is what the plan's files take.
func (p *Plan) bytes() (n int64) {
	for _, s := range p.Stages {
		for _, f := range s.Files {
			n += f.manifest().Stored()
		}
	}
	return n
}

// ErrTooSmall says that what is to be published is more than the whole disk holds.
var ErrTooSmall = fmt.Errorf("the disk is too small: %w", unix.ENOSPC)

// CheckRoom returns an error if so many bytes do not fit below the plan's output, which need not exist.
// Nothing is written.
func CheckRoom(p Plan, bytes int64) error {
	if disk, err := diskOf(p.Output); err == nil {
		return explain(p, fits(&disk, bytes), bytes)
	}
	return nil // an error will come from publishing
}

// diskOf describes the disk of a folder, which need not exist.
func diskOf(folder string) (disk unix.Statfs_t, err error) {
	for folder = filepath.Clean(folder); ; folder = filepath.Dir(folder) {
		if err = unix.Statfs(folder, &disk); !errors.Is(err, unix.ENOENT) || folder == filepath.Dir(folder) {
			return disk, err
		}
	}
}

// checkRoom returns an error if the plan's files do not fit on the disk. Writing them would fail as well, but
// only after it had filled the disk for others.
func (d folder) checkRoom(p Plan) error {
	var disk unix.Statfs_t
	if unix.Fstatfs(d.fd(), &disk) == nil {
		return fits(&disk, p.bytes())
	}
	return nil // an error will come from writing
}

// fits returns an error if n bytes do not fit on a disk. It returns nil for file systems that may compress
// files, because only writing shows what these take.
func fits(disk *unix.Statfs_t, n int64) error {
	switch disk.Type {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.TMPFS_MAGIC:
	default:
		return nil
	}
	switch {
	case disk.Blocks == 0: // a tmpfs without a bound
	case n > int64(disk.Blocks)*disk.Bsize:
		return ErrTooSmall
	case n > int64(disk.Bavail)*disk.Bsize:
		return unix.ENOSPC
	}
	return nil
}
