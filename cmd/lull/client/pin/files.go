package pin

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"lull/subjects/spec"
)

// Files lists the regular files that the patterns match, by path, each once.
// A pattern is a path or a glob: * and ? match within a name, ** any depth of
// folders, {a,b} either, [a-z] a range. Relative ones start at folder. A
// pattern that matches no file is an error: it is most often a typing error,
// and the job would else do nothing and call it success.
func Files(folder string, patterns []string) ([]spec.File, error) {
	var all []spec.File
	for _, pattern := range patterns {
		found, err := match(folder, pattern)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	slices.SortFunc(all, func(a, b spec.File) int { return cmp.Compare(a.Path, b.Path) })
	return slices.CompactFunc(all, func(a, b spec.File) bool { return a.Path == b.Path }), nil
}

func match(folder, pattern string) ([]spec.File, error) {
	if !filepath.IsAbs(pattern) {
		// A folder may be called anything, also what a glob would read as one.
		pattern = escape(folder) + "/" + pattern
	}
	pattern = filepath.ToSlash(filepath.Clean(pattern))
	if !doublestar.ValidatePathPattern(pattern) {
		return nil, fmt.Errorf("%q is no valid pattern: close every [ and {, or escape them with a backslash", pattern)
	}
	if !globs(pattern) {
		return single(unescape(pattern))
	}
	return walk(pattern)
}

// single is the file of a path without wildcards.
func single(path string) ([]spec.File, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s does not exist: check the path", path)
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s is a folder: write %s/** for all files below it", path, path)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file: only files with a size can be pinned", path)
	}
	return []spec.File{pinned(path, info)}, nil
}

func walk(pattern string) ([]spec.File, error) {
	var found []spec.File
	base, rest := doublestar.SplitPattern(pattern)
	visit := func(path string, entry fs.DirEntry) error {
		path = filepath.Join(base, path)
		info, err := regular(path, entry)
		if info != nil {
			found = append(found, pinned(path, info))
		}
		return err
	}
	err := doublestar.GlobWalk(os.DirFS(base), rest, visit, doublestar.WithFailOnIOErrors())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("look for %s: %w", pattern, err)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s matches no file: check the pattern (** stands for any depth of folders)", pattern)
	}
	return found, nil
}

// regular returns the file's facts, or nil for what is no regular file. A file
// that went away while the folder was read is none.
func regular(path string, entry fs.DirEntry) (fs.FileInfo, error) {
	if entry.IsDir() {
		return nil, nil
	}
	info, err := os.Stat(path) // follows a symbolic link, as the task's open will
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil || !info.Mode().IsRegular() {
		return nil, err
	}
	return info, nil
}

func pinned(path string, info fs.FileInfo) spec.File {
	return spec.File{Path: path, Size: info.Size(), MTime: info.ModTime().UnixNano()}
}

const meta = `\*?[]{}`

func globs(pattern string) bool {
	plain := strings.NewReplacer(`\\`, "", `\*`, "", `\?`, "", `\[`, "", `\]`, "", `\{`, "", `\}`, "")
	return strings.ContainsAny(plain.Replace(pattern), "*?[{")
}

func escape(path string) string {
	var b strings.Builder
	for _, r := range path {
		if strings.ContainsRune(meta, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func unescape(pattern string) string {
	var b strings.Builder
	escaped := false
	for _, r := range pattern {
		if r == '\\' && !escaped {
			escaped = true
			continue
		}
		escaped = false
		b.WriteRune(r)
	}
	return b.String()
}
