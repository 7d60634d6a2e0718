package store

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"
)

// The next task that reads the same stage by partition needs the same folders in its in/, with
// another file in each. It inherits them: removing one link and making another costs less than
// recycling the folder around it and making it anew.

// Tree is an in/<stage> folder: it holds folders with one link each, of the same name.
type Tree struct {
	Job, Stage string
	Link       string
	Folders    []string
}

// trees are the trees of attempts that have ended.
type trees struct {
	sync.Mutex
	left []leftTree // the oldest first
}

type leftTree struct {
	Tree
	path string
}

// openTrees begins without trees: the links in those of an earlier agent are not known.
func openTrees(root string) error {
	dir := root + "/inherited"
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return os.Mkdir(dir, folderMode)
}

// maxTrees bounds the trees that are kept: one for each slot of a host of eight, and those of a
// stage that is over do not stay for long where another begins.
const maxTrees = 8

// Bequeath leaves a tree of an attempt that has ended to the next reader, if it can. Its task
// must not have been able to write there.
func (f Folder) Bequeath(t Tree) {
	left := leftTree{t, f.store.root + "/inherited/" + strconv.FormatUint(f.Attempt, 10) + "-" + t.Stage}
	if unix.Rename(f.In()+"/"+t.Stage, left.path) != nil {
		return // Clear removes it
	}
	f.store.dissolve(f.store.trees.put(left))
}

// dissolve removes trees. What it cannot remove, the next agent does.
func (s *Store) dissolve(trees []leftTree) {
	for _, t := range trees {
		_ = s.dirs.recycleTree(t.path)
	}
}

// Inherit moves a tree that an earlier reader left to the attempt's in/ folder, without its
// links, and returns its folders; none if there is no such tree.
func (f Folder) Inherit(job, stage string) []string {
	left, ok := f.store.trees.take(job, stage)
	to := f.In() + "/" + stage
	if !ok || unix.Rename(left.path, to) != nil {
		return nil
	}
	for _, folder := range left.Folders {
		err := unix.Unlink(to + "/" + folder + "/" + left.Link)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			_ = f.store.dirs.recycleTree(to)
			return nil
		}
	}
	return left.Folders
}

// Disown removes an inherited folder that nothing was linked into.
func (f Folder) Disown(stage, folder string) error {
	return f.store.dirs.rmdir(f.In() + "/" + stage + "/" + folder)
}

// put keeps a tree, and returns those that are too many now.
func (ts *trees) put(t leftTree) (old []leftTree) {
	ts.Lock()
	defer ts.Unlock()
	ts.left = append(ts.left, t)
	more := max(len(ts.left)-maxTrees, 0)
	old = slices.Clone(ts.left[:more])
	ts.left = slices.Delete(ts.left, 0, more)
	return old
}

func (ts *trees) take(job, stage string) (t leftTree, ok bool) {
	ts.Lock()
	defer ts.Unlock()
	i := slices.IndexFunc(ts.left, func(t leftTree) bool { return t.Job == job && t.Stage == stage })
	if i < 0 {
		return t, false
	}
	t = ts.left[i]
	ts.left = slices.Delete(ts.left, i, i+1)
	return t, true
}

// forget drops the trees of a job and returns them.
func (ts *trees) forget(job string) (old []leftTree) {
	ts.Lock()
	defer ts.Unlock()
	ts.left = slices.DeleteFunc(ts.left, func(t leftTree) bool {
		if t.Job == job {
			old = append(old, t)
		}
		return t.Job == job
	})
	return old
}
