package contain

import (
	"path/filepath"
	"slices"
)

// Fences reports whether the kernel keeps each task from writing below a folder, except to the
// task's own folders. A path of Write that holds the folder, or lies in it, opens more of it.
func (p Policy) Fences(folder string) bool {
	return p.Mode == Full && p.ABI > 0 && !slices.ContainsFunc(p.Write, func(path string) bool {
		return within(path, folder) || within(folder, path)
	})
}

// within reports whether a path is a folder or lies below it.
func within(folder, path string) bool {
	rest, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rest)
}
