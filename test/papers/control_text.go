package main

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// join writes the Go files below root one after the other, up to so many bytes,
// whole lines only.
func join(w io.Writer, root string, bytes int) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if bytes -= len(text); bytes < 0 {
			return fs.SkipAll
		}
		_, err = w.Write(text)
		return err
	})
}
