package hostctl

import (
	"lull/hostctl/contain"
	"path/filepath"
	"slices"
)

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
