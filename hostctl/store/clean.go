package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Clear removes what an ended attempt needs no more: its scratch and inputs,
// its output unless it was committed, and every folder that is empty. Logs and
// the checkpoint stay, the latter unless the task is done.
func (f Folder) Clear(committed bool) error {
	err := errors.Join(remove(f.Work()), os.RemoveAll(f.In()), removeFile(f.List()))
	if committed {
		err = errors.Join(err, remove(f.Checkpoint()))
		if unix.Rmdir(f.Out()) != nil { // an output that has files stays
			return err
		}
	} else {
		err = errors.Join(err, remove(f.Out()), removeFile(f.manifest()))
	}
	if unix.Rmdir(f.Path) == nil {
		_ = unix.Rmdir(filepath.Dir(f.Path)) // a checkpoint or another attempt keeps it
		return err
	}
	return errors.Join(err, f.link()) // logs are found by the attempt's id
}

// remove removes a tree; one call does for an empty folder, which most are.
func remove(path string) error {
	if unix.Rmdir(path) == nil {
		return nil
	}
	return os.RemoveAll(path)
}

func removeFile(path string) error {
	if err := unix.Unlink(path); err != nil && err != unix.ENOENT {
		return err
	}
	return nil
}

// RemoveJob removes all that is kept of a job.
func (s *Store) RemoveJob(job string) error {
	folders, err := s.attempts(job)
	for _, f := range folders {
		if e := os.Remove(s.link(f.Attempt)); e != nil && !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return errors.Join(err, os.RemoveAll(s.job(job)))
}

// Space returns the free and total bytes of the disk that the store is on.
func (s *Store) Space() (free, total int64, err error) {
	var st unix.Statfs_t
	if err := unix.Statfs(s.root, &st); err != nil {
		return 0, 0, fmt.Errorf("free space of %s: %w", s.root, err)
	}
	return int64(st.Bavail) * st.Bsize, int64(st.Blocks) * st.Bsize, nil
}
