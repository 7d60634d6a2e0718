package pin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/bmatcuk/doublestar/v4"

	"lull/client/glob"
	"lull/subjects/spec"
)

// Inputs are the input files of a stage, with the sizes and times that they had when they were listed.
type Inputs struct {
	Files []spec.File // by path, each once
	nodes nodes
}

// DataNodes returns the names of the data nodes that store the files, sorted. root is the prefix of /proc
// and /sys, host the name of this machine. See the package documentation.
func (in *Inputs) DataNodes(root, host string) []string { return in.nodes.names(root, host) }

// Files lists the regular files that the patterns match, by path, each once. A pattern is a path or
// a glob: * and ? match within a name, ** any depth of folders, {a,b} either, [a-z] a range.
// Relative patterns start at folder. Links to folders are followed: see client/glob. A pattern that matches no
// file is an error: most often it is mistyped, and the job would otherwise do nothing and succeed. A pattern that
// begins with http:// or https:// is a URL and names one file.
func Files(ctx context.Context, folder string, patterns []string) (*Inputs, error) {
	in, web := &Inputs{}, []string{}
	for _, pattern := range patterns {
		if spec.IsURL(pattern) {
			web = append(web, pattern)
		} else if err := in.match(ctx, folder, pattern); err != nil {
			return nil, err
		}
	}
	if err := in.pinURLs(ctx, web); err != nil {
		return nil, err
	}
	slices.SortFunc(in.Files, func(a, b spec.File) int { return cmp.Compare(a.Path, b.Path) })
	in.Files = slices.CompactFunc(in.Files, func(a, b spec.File) bool { return a.Path == b.Path })
	for i := range in.Files {
		in.Files[i].Unended = in.Files[i].Size > 0 // it may be
	}
	if len(in.Files) > maxTagged {
		return in, nil
	}
	_, err := Await(ctx, func() (struct{}, error) { in.tag(); return struct{}{}, nil })
	return in, err
}

func (in *Inputs) match(ctx context.Context, folder, pattern string) error {
	if !filepath.IsAbs(pattern) {
		// A folder's name may contain characters that a glob would interpret.
		pattern = escape(folder) + "/" + pattern
	}
	pattern = filepath.ToSlash(filepath.Clean(pattern))
	if !doublestar.ValidatePathPattern(pattern) {
		return fmt.Errorf("%q is no valid pattern: close every [ and {, or escape them with a backslash", pattern)
	}
	if !globs(pattern) {
		return in.single(unescape(pattern))
	}
	return in.walk(ctx, pattern)
}

// single adds the file of a path without wildcards.
func (in *Inputs) single(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s does not exist: check the path", path)
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s is a folder: write %s/** for all files below it", path, path)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is no regular file: only files with a size can be pinned", path)
	}
	return in.pin(path, info)
}

func (in *Inputs) walk(ctx context.Context, pattern string) error {
	before := len(in.Files)
	base, rest := doublestar.SplitPattern(pattern)
	visit := func(path string, entry fs.DirEntry) error {
		path = filepath.Join(base, path)
		info, err := regular(path, entry)
		if info != nil {
			err = in.pin(path, info)
		}
		return err
	}
	err := glob.Walk(ctx, base, rest, visit)
	if errors.Is(err, errLineEnd) || errors.Is(err, errTooMany) || ctx.Err() != nil {
		return err
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("look for %s: %w", pattern, err)
	}
	if len(in.Files) == before {
		return fmt.Errorf("%s matches no file: check the pattern (** stands for any depth of folders)", pattern)
	}
	return nil
}

// regular returns a file's info. It returns nil if path is not a regular file, is a link without a target or
// in a cycle, or vanished while the folder was read.
func regular(path string, entry fs.DirEntry) (fs.FileInfo, error) {
	if entry.IsDir() {
		return nil, nil
	}
	info, err := os.Stat(path) // follows a symbolic link, as the task's open will
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ELOOP) {
		return nil, nil
	}
	if err != nil || !info.Mode().IsRegular() {
		return nil, err
	}
	return info, nil
}

var errTooMany = fmt.Errorf("more than %d files match: write a narrower pattern", spec.MaxTasks)

var errLineEnd = errors.New("the name has a line end")

// pin adds a file. It refuses a name with a line end: a task gets the paths of its files as a list, one a
// line, and would read part of such a name as the path of another file.
func (in *Inputs) pin(path string, info fs.FileInfo) error {
	if strings.Contains(path, "\n") {
		return fmt.Errorf("%q: %w, and tasks list their inputs one a line: rename it, or write a pattern that does not match it", path, errLineEnd)
	}
	if len(in.Files) == spec.MaxTasks {
		return errTooMany
	}
	in.Files = append(in.Files, spec.File{Path: path, Size: info.Size(), MTime: info.ModTime().UnixNano()})
	in.nodes.addFile(path, info)
	return nil
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
