package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"lull/subjects"
	"lull/subjects/manifest"
)

// ErrOutput says that the task left something in its output folder that cannot be kept. Another attempt
// would leave the same.
var ErrOutput = errors.New("outputs must be files, folders, and relative links to them")

// Commit hashes what the attempt left in its output folder, brings it to the
// disk and writes the manifest beside it. Without files it writes nothing and
// returns a zero Digest. The same folder gives the same manifest, however often
// it is committed.
func (f Folder) Commit(ctx context.Context) (manifest.Manifest, subjects.Digest, error) {
	return commit(ctx, f, nil)
}

// commit commits a folder. It notes in p, if that is not nil, how far it has come.
func commit(ctx context.Context, f Folder, p *Progress) (manifest.Manifest, subjects.Digest, error) {
	s := &survey{f: f, h: hashing{ctx: ctx, start: f.store.hasher, here: hashedHere, progress: p}}
	defer s.close()
	if err := s.begin(); err != nil || len(s.m.Files) == 0 {
		return s.m, subjects.Digest{}, err
	}
	b, digest, err := s.m.Encode()
	if err == nil {
		err = s.write(f.manifest(), b)
	}
	if err == nil {
		err = f.link()
	}
	if err == nil {
		err = s.above()
	}
	if err == nil {
		err = s.batch.Sync()
	}
	return s.m, digest, err
}

func kind(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeSymlink != 0:
		return "symbolic link"
	case mode&fs.ModeNamedPipe != 0:
		return "named pipe"
	case mode&fs.ModeSocket != 0:
		return "socket"
	case mode.IsRegular():
		return "file"
	}
	return "device"
}

// link makes the attempt findable by its id. It replaces a link to another folder, which belongs to
// an attempt with the same id that the log has lost.
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

// LinkLogs makes what the task wrote to its standard streams be found by the attempt's id.
func (f Folder) LinkLogs() error {
	for _, log := range []string{f.Stdout(), f.Stderr()} {
		if _, err := os.Lstat(log); err == nil {
			return f.link()
		}
	}
	return nil
}

// linked reports whether the attempt's id leads to this folder.
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
	target, err := os.Readlink(s.link(attempt))
	if err != nil {
		return Folder{}, false
	}
	path := filepath.Join(s.root, "attempts", target)
	_, err = os.Lstat(path)
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
