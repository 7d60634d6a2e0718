package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// longestTemp bounds the path of a folder for temporary files, in bytes: the path of a socket has 107 at most, and
// Python's multiprocessing puts one 32 bytes further down.
const longestTemp = 107 - 32

// tempFolder holds the links of Temps.
const tempFolder = "tmp"

// Temp is a task's folder for temporary files: its working folder, by a short link if the path of that is long. A job's name
// is part of it.
type Temp struct {
	path string
	work string
}

// TempOf returns the folder for temporary files of an attempt.
func TempOf(f Folder) Temp {
	t := Temp{path: f.Work(), work: f.Work()}
	if len(t.work) > longestTemp {
		t.path = f.store.root + "/" + tempFolder + "/" + strconv.FormatUint(f.Attempt, 10)
	}
	return t
}

// Path is its path for the task.
func (t Temp) Path() string { return t.path }

// link makes the link, if there is to be one.
func (t Temp) link() error {
	if t.path == t.work {
		return nil
	}
	target, err := filepath.Rel(filepath.Dir(t.path), t.work)
	return errors.Join(err, removeFile(t.path), os.Symlink(target, t.path))
}

// unlink removes the link.
func (t Temp) unlink() error {
	if t.path == t.work {
		return nil
	}
	return removeFile(t.path)
}

// tidyTemps removes links that attempts of an agent that was killed have left.
func tidyTemps(root string) error {
	folder := filepath.Join(root, tempFolder)
	entries, err := os.ReadDir(folder)
	for _, e := range entries {
		at := filepath.Join(folder, e.Name())
		if _, gone := os.Stat(at); errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, removeFile(at))
		}
	}
	return err
}
