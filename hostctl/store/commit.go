package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"lull/subjects"
)

// ErrOutput says that the task left something in its output folder that is no file.
var ErrOutput = errors.New("outputs must be files and folders")

// Commit hashes what the attempt left in its output folder, syncs it to the
// disk and writes the manifest beside it. Without files it writes nothing and
// returns a zero Digest. The same folder gives the same manifest, however often
// it is committed.
func (f Folder) Commit(ctx context.Context) (Manifest, subjects.Digest, error) {
	h := &hashing{ctx: ctx, start: f.store.hasher, here: hashedHere}
	defer h.close()
	m, dirs, err := f.survey(ctx, h)
	if err != nil || len(m.Files) == 0 {
		return m, subjects.Digest{}, err
	}
	b, digest, err := m.Encode()
	if err != nil {
		return m, digest, err
	}
	if err := writeSynced(f.manifest(), b); err != nil {
		return m, digest, err
	}
	if err := f.link(); err != nil {
		return m, digest, err
	}
	task := filepath.Dir(f.Path)
	stage := filepath.Dir(task)
	return m, digest, syncAll(append(dirs, f.Path, task, stage, filepath.Dir(stage), f.store.root+"/attempts"))
}

// survey walks the output folder in lexical order.
func (f Folder) survey(ctx context.Context, h *hashing) (m Manifest, dirs []string, err error) {
	root := f.Out()
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, unix.ENAMETOOLONG):
			return fmt.Errorf("%w with paths that the system can open: %.60s… is too long for it (%d bytes)", ErrOutput, path[len(root)+1:], len(path))
		case err != nil:
			if path == root && errors.Is(err, fs.ErrNotExist) {
				return fs.SkipAll // removed by an earlier commit that found it empty
			}
			return err
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case path == root && !d.IsDir():
			// The task may do with its folder what it likes, also replace it.
			return fmt.Errorf("%w: the task replaced its output folder LULL_OUT by a %s", ErrOutput, kind(d.Type()))
		case d.IsDir():
			dirs = append(dirs, path)
			return nil
		case !d.Type().IsRegular():
			return fmt.Errorf("%w: %s is a %s", ErrOutput, path[len(root)+1:], kind(d.Type()))
		case !plain(path):
			return fmt.Errorf("%w with names in UTF-8 and without line ends: %q is none", ErrOutput, path[len(root)+1:])
		}
		file, err := f.keep(path, h)
		file.Path = filepath.ToSlash(path[len(root)+1:])
		m.Files = append(m.Files, file)
		return err
	})
	return m, dirs, err
}

// plain reports whether a path can stand on a line of a list and in JSON.
func plain(path string) bool { return utf8.ValidString(path) && !strings.ContainsAny(path, "\n\r") }

func kind(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeSymlink != 0:
		return "symbolic link (copy what it points to)"
	case mode&fs.ModeNamedPipe != 0:
		return "named pipe"
	case mode&fs.ModeSocket != 0:
		return "socket"
	case mode.IsRegular():
		return "file"
	}
	return "device"
}

// keep hashes a file, syncs it, and takes its write permission away, and from
// its user the means to give it back: tasks of later stages get hard links to it.
func (f Folder) keep(path string, h *hashing) (File, error) {
	file, info, err := f.alone(h.ctx, path)
	if err != nil {
		return File{}, err
	}
	defer file.Close() //nolint:errcheck // read only
	size, sum, err := h.sum(file, info.Size())
	if err != nil {
		return File{}, err
	}
	mode := info.Mode().Perm() &^ 0o222
	err = errors.Join(self().take(file, info), file.Chmod(mode), file.Sync())
	return File{Size: size, Mode: uint32(mode), Sum: sum}, err
}

// link makes the attempt findable by its id. A link to somewhere else is of another
// attempt under the same id, of which the log knows nothing any more.
func (f Folder) link() error {
	at := f.store.link(f.Attempt)
	target, err := filepath.Rel(filepath.Dir(at), f.Path)
	if err != nil {
		return err
	}
	err = os.Symlink(target, at)
	if !errors.Is(err, fs.ErrExist) || f.linked() {
		return withoutExist(err)
	}
	if err := errors.Join(removeFile(at+".new"), os.Symlink(target, at+".new")); err != nil {
		return err
	}
	return os.Rename(at+".new", at)
}

// linked reports whether the attempt's id leads here.
func (f Folder) linked() bool {
	at := f.store.link(f.Attempt)
	target, err := filepath.Rel(filepath.Dir(at), f.Path)
	if err != nil {
		return false
	}
	old, err := os.Readlink(at)
	return err == nil && old == target
}

func withoutExist(err error) error {
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

func (s *Store) link(attempt uint64) string {
	return s.root + "/attempts/" + strconv.FormatUint(attempt, 10)
}

// Find returns the folder of a kept attempt.
func (s *Store) Find(attempt uint64) (Folder, bool) {
	path, err := filepath.EvalSymlinks(s.link(attempt))
	return Folder{path, attempt, s, Owner{}}, err == nil
}

func writeSynced(path string, b []byte) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	return errors.Join(err, f.Sync(), f.Close())
}

func syncAll(dirs []string) error {
	for _, path := range dirs {
		d, err := os.Open(path)
		if err != nil {
			return err
		}
		if err := errors.Join(d.Sync(), d.Close()); err != nil {
			return err
		}
	}
	return nil
}
