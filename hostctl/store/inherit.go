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
	dir  string
	dirs *recycler
	mu   struct {
		sync.Mutex
		left []leftTree // the oldest first
	}
}

type leftTree struct {
	Tree
	path string
}

// openTrees begins without trees: the links in those of an earlier agent are not known.
func openTrees(dir string, dirs *recycler) (*trees, error) {
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	return &trees{dir: dir, dirs: dirs}, os.Mkdir(dir, folderMode)
}

// maxTrees bounds the trees that are kept: one for each slot of a host with eight. Trees of a
// finished stage go soon, because those of the next stage replace them.
const maxTrees = 8

// Release leaves a tree of an attempt that has ended to the next reader, if it can. Its task
// must not have been able to write there.
func (in Inputs) Release(t Tree) {
	left := leftTree{t, in.trees.dir + "/" + strconv.FormatUint(in.attempt, 10) + "-" + t.Stage}
	if unix.Rename(in.path+"/"+t.Stage, left.path) != nil {
		return // Clear removes it
	}
	in.trees.put(left)
}

// Inherit moves a tree that an earlier reader left to the attempt's in/ folder, without its links.
// It returns the tree's folders, or none if there is no such tree.
func (in Inputs) Inherit(job, stage string) []string {
	left, ok := in.trees.takeTree(job, stage)
	to := in.path + "/" + stage
	if !ok || unix.Rename(left.path, to) != nil {
		return nil
	}
	for _, folder := range left.Folders {
		err := unix.Unlink(to + "/" + folder + "/" + left.Link)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			_ = in.dirs.recycleTree(to)
			return nil
		}
	}
	return left.Folders
}

// Disown removes an inherited folder that nothing was linked into.
func (in Inputs) Disown(stage, folder string) error {
	return in.dirs.rmdir(in.path + "/" + stage + "/" + folder)
}

// put keeps a tree, and removes the oldest ones that are too many now.
func (ts *trees) put(t leftTree) {
	ts.mu.Lock()
	left := append(ts.mu.left, t)
	more := max(len(left)-maxTrees, 0)
	old := slices.Clone(left[:more])
	ts.mu.left = slices.Delete(left, 0, more)
	ts.mu.Unlock()
	ts.remove(old)
}

// remove removes trees. What it cannot remove, the next agent does.
func (ts *trees) remove(trees []leftTree) {
	for _, t := range trees {
		_ = ts.dirs.recycleTree(t.path)
	}
}

func (ts *trees) takeTree(job, stage string) (t leftTree, ok bool) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	i := slices.IndexFunc(ts.mu.left, func(t leftTree) bool { return t.Job == job && t.Stage == stage })
	if i < 0 {
		return t, false
	}
	t = ts.mu.left[i]
	ts.mu.left = slices.Delete(ts.mu.left, i, i+1)
	return t, true
}

// forget removes the trees of a job.
func (ts *trees) forget(job string) {
	var old []leftTree
	ts.mu.Lock()
	ts.mu.left = slices.DeleteFunc(ts.mu.left, func(t leftTree) bool {
		if t.Job == job {
			old = append(old, t)
		}
		return t.Job == job
	})
	ts.mu.Unlock()
	ts.remove(old)
}
