// Package bundle packs small files and folders of the submitting machine, to send them along with a
// job.
//
// The same content gives the same bytes for any user, time and place: entries are sorted by path, and
// owners and times are left out. Of a file's mode only the executable bit counts, unless the document
// states a mode.
package bundle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"lull/client/glob"
	"lull/subjects/spec"
)

// Pack reads the files that a document names. Relative paths start at folder. left is the number of bytes
// that may still be sent; more are an error. names are the paths that the files and folders named by the
// document will have in a task's folder.
func Pack(ctx context.Context, folder string, files []spec.DocFile, left int64) (b *spec.Bundle, names []string, err error) {
	p := packer{ctx: ctx, folder: folder, left: left, bundle: &spec.Bundle{}}
	for i := range files {
		if err := p.add(&files[i]); err != nil {
			return nil, nil, err
		}
	}
	slices.SortStableFunc(p.bundle.Entries, func(a, b spec.Entry) int { return cmp.Compare(a.Path, b.Path) })
	p.bundle.Entries = slices.CompactFunc(p.bundle.Entries, func(a, b spec.Entry) bool { return a.Folder && b.Folder && a.Path == b.Path })
	slices.Sort(p.names)
	return p.bundle, slices.Compact(p.names), p.bundle.Validate()
}

type packer struct {
	ctx    context.Context
	folder string
	left   int64
	bundle *spec.Bundle
	names  []string
}

// add packs what one entry of the document names.
func (p *packer) add(f *spec.DocFile) error {
	found, err := p.match(f.From)
	if err != nil {
		return err
	}
	if f.To != "" && len(found) > 1 {
		return fmt.Errorf("%s stands for %d files, which cannot all be %s: leave out to:, or name one of them", f.From, len(found), f.To)
	}
	for _, name := range found {
		at, from := p.pathOf(name, f.To), name
		if !filepath.IsAbs(from) {
			from = filepath.Join(p.folder, name)
		}
		mode, err := f.Bits()
		if err != nil {
			return fmt.Errorf("mode %s: %w", f.Mode, err)
		}
		if err := p.addNamed(from, at, mode); err != nil {
			return err
		}
	}
	return nil
}

// match returns the paths that a glob matches, or the one path itself if it exists.
func (p *packer) match(name string) ([]string, error) {
	clean := filepath.Clean(name)
	whole := clean
	if !filepath.IsAbs(clean) {
		whole = filepath.Join(p.folder, clean)
	}
	if _, err := os.Stat(whole); err == nil || !strings.ContainsAny(name, "*?[{") {
		return []string{clean}, nil
	}
	base, pattern := p.folder, clean
	if filepath.IsAbs(clean) {
		base, pattern = "/", clean[1:]
	}
	if !doublestar.ValidatePattern(pattern) {
		return nil, fmt.Errorf("%q is no valid pattern: close every [ and {", name)
	}
	var found []string
	err := glob.Walk(p.ctx, base, pattern, func(path string, _ fs.DirEntry) error {
		if base == "/" {
			path = "/" + path
		}
		found = append(found, path)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("look for %s: %w", name, err)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s matches no file: check the pattern", name)
	}
	return found, nil
}

// pathOf returns the path that a file will have in a task's folder, "" for that folder itself.
func (p *packer) pathOf(name, to string) string {
	switch {
	case to != "":
		return to
	case name == ".":
		return ""
	case filepath.IsAbs(name) || name == ".." || strings.HasPrefix(name, "../"):
		return filepath.Base(filepath.Join(p.folder, name))
	}
	return name
}

// addNamed packs a path that a document names. If the path is a link, it packs what the link leads to.
func (p *packer) addNamed(from, at string, mode uint32) error {
	info, err := os.Stat(from)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s does not exist: check the path", from)
	case err != nil:
		return err
	case info.IsDir() && mode != 0:
		return fmt.Errorf("%s is a folder: mode is for files", from)
	case info.IsDir():
		if at != "" {
			p.names = append(p.names, at+"/")
			p.addParents(at + "/")
		}
		return p.addTree(from, at)
	}
	p.names = append(p.names, at)
	p.addParents(at)
	return p.addFile(from, at, mode)
}

// addParents adds the folders above a path.
func (p *packer) addParents(at string) {
	for i := range at {
		if at[i] == '/' {
			p.bundle.Entries = append(p.bundle.Entries, spec.Entry{Path: at[:i], Folder: true})
		}
	}
}

// addTree packs all that is below a folder.
func (p *packer) addTree(from, at string) error {
	return filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == from {
			return err
		}
		below, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		to := path.Join(at, filepath.ToSlash(below))
		switch d.Type() {
		case fs.ModeDir:
			p.bundle.Entries = append(p.bundle.Entries, spec.Entry{Path: to, Folder: true})
		case fs.ModeSymlink:
			target, err := os.Readlink(name)
			if err != nil {
				return err
			}
			p.bundle.Entries = append(p.bundle.Entries, spec.Entry{Path: to, Link: target})
		default:
			return p.addFile(name, to, 0)
		}
		return p.checkCount()
	})
}

// checkCount returns an error once the bundle has far too many entries, so that the walk through a large
// folder ends early. Bundle.Validate checks the exact limit.
func (p *packer) checkCount() error {
	if len(p.bundle.Entries) > 2*spec.MaxEntries {
		return fmt.Errorf("there are more than %d files and folders: pack them into an archive, or put them where the hosts can read them", spec.MaxEntries)
	}
	return nil
}

// addFile packs a regular file. If mode is 0, the file's own executable bit decides.
func (p *packer) addFile(from, at string, mode uint32) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() { // opening a named pipe would wait for ever
		return fmt.Errorf("%s is no regular file: only files, folders and links can be sent", from)
	}
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // only read
	body, err := io.ReadAll(io.LimitReader(f, p.left+1))
	if err != nil {
		return err
	}
	if p.left -= int64(len(body)); p.left < 0 {
		return fmt.Errorf("with %s these are more than %d MB, the most that is sent with a job: put large files where the hosts can read them, and name them under inputs", from, spec.MaxSent/1_000_000)
	}
	if mode == 0 {
		mode = 0o644
		if info.Mode()&0o111 != 0 {
			mode = 0o755
		}
	}
	p.bundle.Entries = append(p.bundle.Entries, spec.Entry{Path: at, Mode: mode, Body: body})
	return p.checkCount()
}
