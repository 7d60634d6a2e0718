package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Clear removes what an ended attempt needs no more: its scratch and inputs,
// its output unless it was committed, and every folder that is empty. Logs and
// the checkpoint stay, the latter unless the task is done. It is to be called
// once for every Make and Hold.
func (f Folder) Clear(committed bool) error {
	dirs, given := f.store.dirs, f.given()
	err := errors.Join(unlinkTemp(f), f.remove(f.Work()), f.Inputs().clear(), removeFile(f.List()))
	kept := false
	if committed {
		kept = given.rmdir(f.Out()) != nil
	} else {
		err = errors.Join(err, f.remove(f.Out()), removeFile(f.manifest()))
	}
	kept = kept || dirs.rmdir(f.Path) != nil
	if kept {
		err = errors.Join(err, f.link()) // an attempt of an earlier agent may lack it
	}
	f.release(func() {
		if given.rmdir(f.Checkpoint()) != nil && committed {
			err = errors.Join(err, removeTree(f.Checkpoint()))
		}
		if !kept {
			_ = dirs.rmdir(filepath.Dir(f.Path)) // a checkpoint or another attempt keeps it
		}
	})
	return err
}

// remove removes a tree.
func (f Folder) remove(path string) error {
	if f.given().rmdir(path) == nil {
		return nil
	}
	return removeTree(path)
}

func removeFile(path string) error {
	if err := unix.Unlink(path); err != nil && err != unix.ENOENT {
		return err
	}
	return nil
}

// RemoveJob removes all that is kept of a job.
func (s *Store) RemoveJob(job string) error {
	s.trees.forget(job)
	folders, err := s.attempts(job)
	for _, f := range folders {
		if !f.linked() {
			continue // it was never kept, or the id names another attempt by now
		}
		if e := os.Remove(s.link(f.Attempt)); e != nil && !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return errors.Join(err, removeTree(s.job(job)))
}
