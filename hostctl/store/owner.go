package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// Owner is a user and a group, by their numbers.
type Owner struct{ UID, GID int }

// self returns this process's user and group. It asks the kernel once, because a commit compares
// every file's owner with it.
var self = sync.OnceValue(func() Owner { return Owner{os.Geteuid(), os.Getegid()} })

// Give makes the folders of attempts from now on writable for tasks of other users: for the first
// one, unless Folder.For names another. Only root can change owners. The agent becomes the owner of
// what tasks commit. Give must not run beside other calls.
func (s *Store) Give(first Owner, others ...Owner) (err error) {
	if s.given, err = s.openGiven(first, "spare-given"); err != nil {
		return err
	}
	s.others = map[Owner]*recycler{}
	for _, o := range others {
		if o == first || s.others[o] != nil {
			continue
		}
		if s.others[o], err = s.openGiven(o, fmt.Sprintf("spare-given-%d", o.UID)); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) openGiven(to Owner, name string) (*recycler, error) {
	if to == self() {
		return s.dirs, nil
	}
	given, err := openRecycler(filepath.Join(s.root, name), to)
	if err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	return given, nil
}

// For returns the folder of an attempt that runs as this user, which was named to Give.
func (f Folder) For(to Owner) Folder {
	f.owner = to
	return f
}

// given makes and takes back the folders that the task writes to.
func (f Folder) given() *recycler {
	if r := f.store.others[f.owner]; r != nil {
		return r
	}
	return f.store.given
}

// has reports whether a file is the owner's.
func (o Owner) has(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == o.UID
}

// ownPath makes a path the owner's. A new folder is ours already.
func (o Owner) ownPath(path string) error {
	if o == self() {
		return nil
	}
	return os.Lchown(path, o.UID, o.GID)
}

// ownFile makes an open file the owner's.
func (o Owner) ownFile(f *os.File, info fs.FileInfo) error {
	if o.has(info) {
		return nil
	}
	return f.Chown(o.UID, o.GID)
}

// giveTree changes the owner of a folder and of everything below it with the same owner. The
// folder comes last, so that an interrupted call is repeated as a whole. Files of other owners
// that a task has linked into it keep theirs, and so does what is nested deeper than maxDepth. No link
// leads out: each entry is opened in its folder and changed by its descriptor.
func (o Owner) giveTree(root string) error {
	d, err := openFolder(unix.AT_FDCWD, root, root)
	if err != nil {
		return err
	}
	defer d.Close() //nolint:errcheck // nothing was written
	info, err := d.Stat()
	if err != nil || o.has(info) {
		return err
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		err = o.giveAll(d, st.Uid, 0)
	}
	return errors.Join(err, d.Chown(o.UID, o.GID))
}

// giveAll changes the owner of the entries of an open folder that belong to from.
func (o Owner) giveAll(d *os.File, from uint32, depth int) error {
	if depth > maxDepth {
		return nil
	}
	names, err := d.Readdirnames(-1)
	for _, name := range names {
		err = errors.Join(err, o.giveEntry(d, name, from, depth))
	}
	return err
}

func (o Owner) giveEntry(d *os.File, name string, from uint32, depth int) error {
	path := filepath.Join(d.Name(), name)
	fd, err := unix.Openat(int(d.Fd()), name, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return &fs.PathError{Op: "open", Path: path, Err: err}
	}
	defer unix.Close(fd) //nolint:errcheck // nothing was written
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil || st.Uid != from {
		return err
	}
	if st.Mode&unix.S_IFMT == unix.S_IFDIR {
		sub, err := openFolder(fd, ".", path)
		if err != nil {
			return err
		}
		if err := errors.Join(o.giveAll(sub, from, depth+1), sub.Close()); err != nil {
			return err
		}
	}
	if err := unix.Fchownat(fd, "", o.UID, o.GID, unix.AT_EMPTY_PATH); err != nil {
		return &fs.PathError{Op: "chown", Path: path, Err: err}
	}
	return nil
}
