// Package glob finds the files that a pattern matches: * and ? match within a name, ** any depth of folders,
// {a,b} either, [a-z] a range.
//
// Links to folders are followed, because much data is kept behind links. But a walk does not go round where a link
// leads back to a folder of its own path, and what ** finds in a folder and behind a link to it counts once, by the
// folder's own name. The names that other patterns give count each, as in a shell.
package glob

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/bmatcuk/doublestar/v4"
)

// Walk calls visit with the path below base of each entry that a pattern matches, folders too. The pattern begins at base,
// and has no "." and "..". An error of visit ends the walk. A folder that cannot be read is an error.
func Walk(ctx context.Context, base, pattern string, visit func(path string, entry fs.DirEntry) error) error {
	f := &folders{ctx: ctx, base: base, pattern: pattern, real: map[string]string{}}
	anyDepth := strings.Contains(pattern, "**")
	return doublestar.GlobWalk(f, pattern, func(path string, entry fs.DirEntry) error {
		if anyDepth && f.hasOwnName(path) {
			return nil
		}
		return visit(path, entry)
	}, doublestar.WithFailOnIOErrors())
}

// folders are those below base, without the links that lead back.
type folders struct {
	ctx           context.Context
	base, pattern string
	real          map[string]string // the paths without links of folders
}

var _ fs.StatFS = (*folders)(nil)

func (f *folders) Open(name string) (fs.File, error) { return os.DirFS(f.base).Open(name) }

// Stat follows links. One that leads round leads nowhere.
func (f *folders) Stat(name string) (fs.FileInfo, error) {
	info, err := fs.Stat(os.DirFS(f.base), name)
	if errors.Is(err, syscall.ELOOP) {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	return info, err
}

func (f *folders) ReadDir(name string) ([]fs.DirEntry, error) {
	if f.ctx.Err() != nil {
		return nil, context.Cause(f.ctx)
	}
	entries, err := fs.ReadDir(os.DirFS(f.base), name)
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		return e.Type()&fs.ModeSymlink != 0 && f.leadsBack(filepath.Join(f.base, name), e.Name())
	}), err
}

// leadsBack reports whether a link in a folder leads to that folder or to one that the walk came through.
func (f *folders) leadsBack(folder, link string) bool {
	target, err := filepath.EvalSymlinks(filepath.Join(folder, link))
	if err != nil {
		return false // a link to nothing
	}
	for at := folder; f.realOf(at) != target; at = filepath.Dir(at) {
		if at == f.base || at == filepath.Dir(at) {
			return false
		}
	}
	return true
}

// hasOwnName reports whether the walk meets an entry behind a link by its own name, too.
func (f *folders) hasOwnName(path string) bool {
	folder := f.realOf(filepath.Join(f.base, filepath.Dir(path)))
	own, err := filepath.Rel(f.realOf(f.base), filepath.Join(folder, filepath.Base(path)))
	return err == nil && own != filepath.FromSlash(path) && filepath.IsLocal(own) && doublestar.MatchUnvalidated(f.pattern, filepath.ToSlash(own))
}

// realOf is the path of a folder without links.
func (f *folders) realOf(folder string) string {
	path, known := f.real[folder]
	if !known {
		var err error
		if path, err = filepath.EvalSymlinks(folder); err != nil {
			path = folder // it vanished
		}
		f.real[folder] = path
	}
	return path
}
