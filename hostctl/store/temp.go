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

// Temp returns the task's folder for temporary files. It is Work, by a short link if the path of that is long: a job's name
// is part of it.
func Temp(f Folder) string {
	if len(f.Work()) <= longestTemp {
		return f.Work()
	}
	return f.store.root + "/" + tempFolder + "/" + strconv.FormatUint(f.Attempt, 10)
}

// tempFolder holds the links of Temp.
const tempFolder = "tmp"

// linkTemp makes the link of Temp, if there is to be one.
func linkTemp(f Folder) error {
	at := Temp(f)
	if at == f.Work() {
		return nil
	}
	target, err := filepath.Rel(filepath.Dir(at), f.Work())
	return errors.Join(err, removeFile(at), os.Symlink(target, at))
}

// unlinkTemp removes the link of Temp.
func unlinkTemp(f Folder) error {
	if at := Temp(f); at != f.Work() {
		return removeFile(at)
	}
	return nil
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
