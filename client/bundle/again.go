package bundle

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lull/subjects/spec"
)

// Again packs files anew that were packed before: those of the names that Pack returned, from the same places below
// folder. It returns the paths whose content, mode or presence changed. A mode that the document stated stays.
func Again(ctx context.Context, folder string, was *spec.Bundle, names []string) (b *spec.Bundle, changed []string, err error) {
	if len(names) == 0 || slices.Contains(names, "…") { // the names of all would have been too many
		names = contents(was)
	}
	var files []spec.DocFile
	for _, name := range names {
		path := strings.TrimSuffix(name, "/")
		if _, err := os.Stat(filepath.Join(folder, path)); err != nil {
			return nil, nil, fmt.Errorf("%s was sent with the job, and is not in %s: name the folder of the job's document with --folder, or leave such files as they were with --keep-files", path, folder)
		}
		files = append(files, spec.DocFile{From: path})
	}
	if b, _, err = Pack(ctx, folder, files, spec.MaxSent); err != nil {
		return nil, nil, err
	}
	before := map[string]*spec.Entry{}
	for i := range was.Entries {
		before[was.Entries[i].Path] = &was.Entries[i]
	}
	for i := range b.Entries {
		e := &b.Entries[i]
		if old := before[e.Path]; old != nil && old.Mode != 0o644 && old.Mode != 0o755 && old.Mode != 0 {
			e.Mode = old.Mode
		}
		if old := before[e.Path]; old == nil || !same(old, e) {
			changed = append(changed, e.Path)
		}
		delete(before, e.Path)
	}
	for path := range before {
		changed = append(changed, path)
	}
	slices.Sort(changed)
	return b, changed, nil
}

// contents lists the files and links of a bundle.
func contents(b *spec.Bundle) (paths []string) {
	for i := range b.Entries {
		if !b.Entries[i].Folder {
			paths = append(paths, b.Entries[i].Path)
		}
	}
	return paths
}

func same(a, b *spec.Entry) bool {
	return a.Folder == b.Folder && a.Link == b.Link && a.Mode == b.Mode && bytes.Equal(a.Body, b.Body)
}
