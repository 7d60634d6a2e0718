package hostctl

import (
	"path/filepath"
	"slices"
	"strings"

	"lull/hostctl/contain"
	"lull/hostctl/store"
)

// partitions gathers a stage of whose outputs the task reads one file each. It reuses the folders
// that an earlier reader left, and notes them in the run for the next reader.
func (g *gathering) partitions() ([]piece, error) {
	inherited := g.r.folder.Inherit(g.r.Job, g.name)
	pieces, err := g.stage()
	if err != nil {
		return nil, err
	}
	tree, remote := store.Tree{Job: g.r.Job, Stage: g.name, Link: g.only}, false
	for _, p := range pieces {
		folder, _, _ := strings.Cut(p.name, "/")
		tree.Folders = append(tree.Folders, folder)
		remote = remote || !p.here
	}
	slices.Sort(tree.Folders)
	for _, folder := range inherited {
		if _, used := slices.BinarySearch(tree.Folders, folder); !used {
			if err := g.r.folder.Disown(g.name, folder); err != nil {
				return nil, err
			}
		}
	}
	if !remote { // copies of other hosts' files take room
		g.r.trees = append(g.r.trees, tree)
	}
	return pieces, nil
}

// bequeath leaves the folders of an attempt that has ended to the next reader. It does not if the
// task could have put anything into them.
func (a *Agent) bequeath(r *run) {
	if len(r.trees) == 0 || !a.shielded(r) {
		return
	}
	for _, t := range r.trees {
		r.folder.Bequeath(t)
	}
}

// shielded reports whether tasks cannot write to the agent's folders: they run as another user,
// or a fence confines them to their own.
func (a *Agent) shielded(r *run) bool { return !a.policy.UserOf(r.slot.N).Same() || a.fenced() }

// fenced reports whether a task can write below the data folder to its own folders only. A path
// of --task-write that holds the data folder, or lies in it, opens more of it.
func (a *Agent) fenced() bool {
	root := a.store.Root()
	return a.policy.Mode == contain.Full && a.policy.ABI > 0 && !slices.ContainsFunc(a.policy.Write, func(path string) bool {
		return holds(path, root) || holds(root, path)
	})
}

// holds reports whether a path is a folder or lies below it.
func holds(folder, path string) bool {
	rest, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rest)
}
