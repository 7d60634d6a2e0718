package manifest

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Validate refuses what no output can have: paths that lead out of its folder, by themselves or through a
// link, and modes with more than permission bits. Otherwise a host could have a reader write elsewhere, or
// turn a copied file into a program that runs with the rights of the user that copied it.
func (m Manifest) Validate() error {
	links := map[string]bool{}
	for i := range m.Files {
		f := &m.Files[i]
		if !f.possible() {
			return fmt.Errorf("the manifest lists a file that cannot be an output: %q (its path, size, mode, checksum or link is invalid)", f.Path)
		}
		if f.Link != "" {
			links[f.Path] = true
		}
	}
	if len(links) == 0 {
		return nil
	}
	return m.besides(links)
}

// possible reports whether an output can have the file.
func (f *File) possible() bool {
	if !fs.ValidPath(f.Path) || f.Path == "." || !Plain(f.Path) {
		return false
	}
	if f.Regular() {
		summed := f.Holes == nil && len(f.Sum) == sha256.Size || f.Holes != nil && len(f.Sum) == 0 && f.Holes.Fit(f.Size)
		return summed && f.Size >= 0 && f.Mode <= 0o777
	}
	bare := f.Holes == nil && f.Size == 0 && f.Mode == 0 && len(f.Sum) == 0
	return bare && (f.Folder && f.Link == "" || !f.Folder && Inside(f.Path, f.Link))
}

// besides returns an error if anything has the path of a link, or a path that leads through one.
func (m Manifest) besides(links map[string]bool) error {
	for i := range m.Files {
		f := &m.Files[i]
		if f.Link == "" && links[f.Path] {
			return fmt.Errorf("the manifest lists %q twice", f.Path)
		}
		for at := path.Dir(f.Path); at != "."; at = path.Dir(at) {
			if links[at] {
				return fmt.Errorf("the manifest lists a file that cannot be an output: %q lies behind the link %q", f.Path, at)
			}
		}
	}
	return nil
}

// maxTarget is the most bytes that Linux takes of a link's target.
const maxTarget = 4095

// Inside reports whether a link at a path of the output leads to a path of the same output, whether or not
// something is there. It goes by the names alone. So ".." may stand only at the target's beginning: behind the
// name of another link it would lead elsewhere than it seems to.
func Inside(at, target string) bool {
	if target == "" || len(target) > maxTarget || !Plain(target) || path.IsAbs(target) || strings.IndexByte(target, 0) >= 0 {
		return false
	}
	above, named := strings.Count(at, "/"), false
	for part := range strings.SplitSeq(target, "/") {
		switch part {
		case "", ".":
		case "..":
			if above--; above < 0 || named {
				return false
			}
		default:
			named = true
		}
	}
	return true
}

// maxLinks is how many links Linux follows one after the other.
const maxLinks = 40

// Lookup returns the file at a path, also if links of the manifest lead to it.
func (m Manifest) Lookup(at string) (File, bool) {
	for range maxLinks {
		f := m.first(at)
		if f == nil || f.Folder {
			return File{}, false
		}
		if f.Link == "" {
			return *f, true
		}
		at = path.Join(path.Dir(f.Path), f.Link, at[len(f.Path):])
	}
	return File{}, false
}

// first returns what is at a path, or the link that the path leads through; nil if there is neither.
func (m Manifest) first(at string) *File {
	for i := range m.Files {
		f := &m.Files[i]
		if f.Path == at || f.Link != "" && strings.HasPrefix(at, f.Path+"/") {
			return f
		}
	}
	return nil
}
