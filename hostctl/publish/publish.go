// Package publish puts a stage's committed outputs into the folder that a job
// names, as <output>/<stage>/<task, 5 digits>/<file>.
//
// What people see there is always one whole run: the new folder is built beside
// and takes the old one's place by renaming. A folder that lull did not write
// is never replaced; those it wrote carry the file ".lull" with the job's id.
package publish

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Marker is the file that says which job wrote a folder.
const Marker = ".lull"

// ErrForeign says that the place is taken by something that lull did not write.
var ErrForeign = errors.New("it was not written by lull: move it away, or choose another `output:`")

// Stage publishes the files below source as stage name of a job. Doing it
// again, also after a crash in the middle, gives the same result.
func Stage(ctx context.Context, source, output, name, job string) error {
	if err := os.MkdirAll(output, 0o755); err != nil {
		return err
	}
	final := filepath.Join(output, name)
	if err := ours(final); err != nil {
		return err
	}
	fresh, old := filepath.Join(output, Marker+"-new-"+name), filepath.Join(output, Marker+"-old-"+name)
	for _, left := range []string{fresh, old} { // by a crash
		if err := os.RemoveAll(left); err != nil {
			return err
		}
	}
	if err := build(ctx, source, fresh, job); err != nil {
		return errors.Join(err, os.RemoveAll(fresh))
	}
	if err := swap(fresh, final, old); err != nil {
		return err
	}
	return errors.Join(syncFolder(output), os.RemoveAll(fresh), os.RemoveAll(old))
}

// swap puts fresh in final's place, in one step where the file system can
// exchange two folders. Elsewhere final is missing for a moment, and if the
// machine dies in it, until the next attempt publishes again.
func swap(fresh, final, old string) error {
	err := unix.Renameat2(unix.AT_FDCWD, fresh, unix.AT_FDCWD, final, unix.RENAME_EXCHANGE)
	if err == nil {
		return nil // fresh is now what final was
	}
	if err := os.Rename(final, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(fresh, final)
}

// ours refuses a folder without a marker, unless it is empty.
func ours(folder string) error {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err == nil {
		_, err = os.Lstat(filepath.Join(folder, Marker))
	}
	if err != nil {
		return fmt.Errorf("%s is there already: %w", folder, ErrForeign)
	}
	return nil
}

// build copies the tree and marks it.
func build(ctx context.Context, source, fresh, job string) error {
	if err := os.Mkdir(fresh, 0o755); err != nil {
		return err
	}
	if err := write(filepath.Join(fresh, Marker), job); err != nil {
		return err
	}
	err := filepath.WalkDir(source, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			if path == source && errors.Is(err, fs.ErrNotExist) {
				return fs.SkipAll // the stage wrote no file
			}
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		to := filepath.Join(fresh, path[len(source):])
		if d.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		return duplicate(path, to)
	})
	return errors.Join(err, syncFolder(fresh))
}

// duplicate copies a file and syncs it. A link would let users change what
// other tasks still read.
func duplicate(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close() //nolint:errcheck // read only
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, info.Mode().Perm()|0o200)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}

func write(path, text string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, text+"\n")
	return errors.Join(err, f.Sync(), f.Close())
}

func syncFolder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
