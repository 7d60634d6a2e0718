package pin

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"syscall"

	"lull/subjects/spec"
)

// folders is the tree of folders in which a pattern is looked for. Links to folders are followed, but no folder
// contains itself: where a link leads to a folder above it, nothing is found. A link in a cycle leads nowhere.
type folders struct {
	fs.FS
	base  string
	links map[string]bool // found so far, by their path below base
}

func newFolders(base string) *folders { return &folders{os.DirFS(base), base, map[string]bool{}} }

// ReadDir lists a folder, and notes the links in it.
func (f *folders) ReadDir(name string) ([]fs.DirEntry, error) {
	if f.repeats(name) {
		return nil, nil
	}
	entries, err := fs.ReadDir(f.FS, name)
	for _, e := range entries {
		if e.Type()&fs.ModeSymlink != 0 {
			f.links[path.Join(name, e.Name())] = true
		}
	}
	return entries, err
}

// Stat follows links.
func (f *folders) Stat(name string) (fs.FileInfo, error) {
	info, err := fs.Stat(f.FS, name)
	if errors.Is(err, syscall.ELOOP) {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	return info, err
}

// repeats reports whether a folder behind a link is also one of those above it.
func (f *folders) repeats(name string) bool {
	if !f.links[name] && !f.behindLink(name) {
		return false
	}
	here, err := f.Stat(name)
	for above := name; err == nil && above != "."; {
		var info fs.FileInfo
		above = path.Dir(above)
		if info, err = f.Stat(above); err == nil && os.SameFile(here, info) {
			return true
		}
	}
	return false
}

// behindLink reports whether a folder above is a link.
func (f *folders) behindLink(name string) bool {
	for above := path.Dir(name); above != "." && above != "/"; above = path.Dir(above) {
		if f.links[above] {
			return true
		}
	}
	return false
}

// once leaves out files that were found behind a link and in their own folder, too: in `runs/**`, a link `latest` to
// one of the runs would have that run read twice.
func (f *folders) once(files []spec.File) []spec.File {
	base, err := filepath.EvalSymlinks(f.base)
	if err != nil || len(f.links) == 0 {
		return files
	}
	found, realOf := map[string]bool{}, map[string]string{}
	behind := func(file spec.File) (name string, ok bool) {
		name, err := filepath.Rel(f.base, file.Path)
		return name, err == nil && f.behindLink(name)
	}
	for _, file := range files {
		if name, ok := behind(file); !ok {
			found[filepath.Join(base, name)] = true
		}
	}
	return slices.DeleteFunc(files, func(file spec.File) bool {
		if _, ok := behind(file); !ok {
			return false
		}
		dir, name := filepath.Split(file.Path)
		if _, known := realOf[dir]; !known {
			realOf[dir], _ = filepath.EvalSymlinks(dir) // "" where it is gone meanwhile
		}
		return found[filepath.Join(realOf[dir], name)]
	})
}
