package publish

import (
	"errors"
	"fmt"

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
	var disk unix.Statfs_t
	if unix.Statfs(folder, &disk) == nil {
		free = fmt.Sprintf("%s free, ", humane.Bytes(int64(disk.Bavail)*disk.Bsize))
	}
	return fmt.Errorf("no room in %s: %s%s to be written: %s: %w", folder, free, humane.Bytes(bytes), remedy, err)
}

// full explains an error of this plan that comes from a full disk.
func full(p Plan, err error) error {
	var bytes int64
	for _, s := range p.Stages {
		for _, f := range s.Files {
			bytes += f.Size
		}
	}
	remedy := fmt.Sprintf("free some space and publish again with `lull retry %s`, or fetch the results to another disk with `lull outputs %[1]s --to DIR`", p.Job)
	if p.Attempt == 0 { // a client's: the job has finished
		remedy = fmt.Sprintf("free some space, then fetch the results with `lull outputs %s --to DIR`", p.Job)
	}
	return Full(err, p.Output, bytes, remedy)
}
