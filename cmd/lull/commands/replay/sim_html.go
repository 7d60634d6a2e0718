package replay

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"lull/sim/webpage"
)

// htmlFile is a file for a page. It is opened before the work begins, so that one that cannot be
// written is reported at once. It takes its name when the page is whole. An htmlFile without a path
// takes nothing.
type htmlFile struct {
	path string
	file *os.File
}

// newHTMLFile opens a file that is to become path, which must be none of others.
func newHTMLFile(path string, others ...string) (*htmlFile, error) {
	if path == "" {
		return &htmlFile{}, nil
	}
	for _, other := range others {
		if same(path, other) {
			return nil, fmt.Errorf("--html %s would overwrite what is read: name another file", path)
		}
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, fmt.Errorf("--html %s is a folder: name a file in it", path)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".lull-sim-*")
	if err != nil {
		return nil, fmt.Errorf("--html: %w", err)
	}
	return &htmlFile{path, f}, nil
}

func same(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// write writes the page and gives it its name.
func (p *htmlFile) write(r webpage.Report) error {
	if p.file == nil {
		return nil
	}
	w := bufio.NewWriter(p.file)
	err := errors.Join(webpage.Write(w, r), w.Flush(), p.file.Chmod(0o644), p.file.Close())
	if err == nil {
		err = os.Rename(p.file.Name(), p.path)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", p.path, err)
	}
	p.file = nil
	return nil
}

// discard removes what was not printed.
func (p *htmlFile) discard() {
	if p.file != nil {
		_ = p.file.Close()
		_ = os.Remove(p.file.Name())
	}
}
