package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// The in/ folder of a task that reads by partition has a folder with one file for each earlier
// task. A shuffle of 200 by 200 has 40,000 of them. Making and removing one takes 0.5 ms of CPU
// on ext4, recycling it 0.08 ms.

// Link links a file of another attempt's output into the in/ folder, as <stage>/<task>/<file>.
func (f Folder) Link(from, stage, name string) error {
	to := f.In() + "/" + stage + "/" + name
	err := os.Link(from, to)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := f.MakeIn(filepath.Dir(to)); err != nil {
		return err
	}
	return os.Link(from, to)
}

// MakeIn makes the in/ folder, or a folder below it with its parents.
func (f Folder) MakeIn(path string) error {
	err := f.store.dirs.mkdir(path)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil
	case !errors.Is(err, fs.ErrNotExist) || path == f.In():
		return err
	}
	if err := f.MakeIn(filepath.Dir(path)); err != nil {
		return err
	}
	if err := f.store.dirs.mkdir(path); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// clearIn removes the in/ folder. Tasks cannot write there, so it holds nothing unexpected.
func (f Folder) clearIn() error { return f.store.dirs.recycleTree(f.In()) }

// recycleTree removes a folder and keeps its empty folders for reuse.
func (r *recycler) recycleTree(path string) error {
	if err := r.rmdir(path); err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	names, err := d.Readdirnames(-1)
	_ = d.Close() // read only
	for _, name := range names {
		below := path + "/" + name
		e := unix.Unlink(below)
		if errors.Is(e, unix.EISDIR) || errors.Is(e, unix.EPERM) { // some file systems' error for a folder
			e = r.recycleTree(below)
		}
		if e != nil && !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, &fs.PathError{Op: "remove", Path: below, Err: e})
		}
	}
	return errors.Join(err, r.rmdir(path))
}
