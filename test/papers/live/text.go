package live

import (
	"cmp"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// join writes the Go files below root one after the other, up to so many bytes, whole files only.
// They come in the order of their names' hashes, so that one megabyte is much like another. The
// text is read over and over, and in the order of the tree a pipeline's throughput went up and down
// with each turn.
func join(w io.Writer, root string, bytes int) error {
	files, err := goFiles(root)
	if err != nil {
		return err
	}
	for _, path := range files {
		text, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			return err
		}
		if bytes -= len(text); bytes < 0 {
			return nil
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
	}
	return nil
}

// goFiles are those below root, shuffled in the same way each time.
func goFiles(root string) (files []string, err error) {
	err = fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".go") {
			files = append(files, path)
		}
		return err
	})
	slices.SortFunc(files, func(a, b string) int { return cmp.Compare(hashOf(a), hashOf(b)) })
	return files, err
}

func hashOf(name string) uint64 {
	h := fnv.New64a()
	_, _ = io.WriteString(h, name)
	return h.Sum64()
}
