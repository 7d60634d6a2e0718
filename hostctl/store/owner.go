package store

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Owner is a user and a group, by their numbers.
type Owner struct{ UID, GID int }

// self is who this process is.
func self() Owner { return Owner{os.Geteuid(), os.Getegid()} }

// Give lets tasks of other users write to the folders that are made for them
// from now on: of the first one, unless Folder.For names another. Only root can give
// away. What tasks commit becomes the agent's own. It must not run beside other calls.
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

// For is the folder of an attempt that runs as this user, who was named to Give.
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

// give makes a path the owner's. A new folder is ours already.
func (o Owner) give(path string) error {
	if o == self() {
		return nil
	}
	return os.Lchown(path, o.UID, o.GID)
}

// take makes an open file the owner's.
func (o Owner) take(f *os.File, info fs.FileInfo) error {
	if o.has(info) {
		return nil
	}
	return f.Chown(o.UID, o.GID)
}

// giveTree makes a folder and all below the owner's, unless it is already. The
// folder goes last: a tree that was half given is given again. Links are given
// themselves, so nothing leads out.
func (o Owner) giveTree(root string) error {
	info, err := os.Lstat(root)
	if err != nil || o.has(info) {
		return err
	}
	err = filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		return os.Lchown(path, o.UID, o.GID)
	})
	if err != nil {
		return err
	}
	return os.Lchown(root, o.UID, o.GID)
}
