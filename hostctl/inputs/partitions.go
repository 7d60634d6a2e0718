package inputs

import (
	"context"
	"slices"
	"strings"

	"lull/hostctl/store"
)

// partitions gathers a stage if the task reads one file of each of its outputs. It reuses the folders
// that an earlier reader left, and adds them to trees for the next reader.
func (g *gathering) partitions(ctx context.Context) ([]Piece, error) {
	inherited := g.at.Folder.Inputs().Inherit(g.at.Task.Job, g.name)
	pieces, err := g.stage(ctx)
	if err != nil {
		return nil, err
	}
	tree, remote := store.Tree{Job: g.at.Task.Job, Stage: g.name, Link: g.only}, false
	for _, p := range pieces {
		folder, _, _ := strings.Cut(p.Name, "/")
		tree.Folders = append(tree.Folders, folder)
		remote = remote || !p.Local
	}
	slices.Sort(tree.Folders)
	for _, folder := range inherited {
		if _, used := slices.BinarySearch(tree.Folders, folder); !used {
			if err := g.at.Folder.Inputs().Disown(g.name, folder); err != nil {
				return nil, err
			}
		}
	}
	if !remote { // copies of other hosts' files take room
		*g.trees = append(*g.trees, tree)
	}
	return pieces, nil
}
