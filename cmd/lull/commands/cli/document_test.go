package cli

import (
	"os"
	"path/filepath"
	"testing"

	"lull/subjects/spec"
)

// A file that is named by mistake may be larger than memory. The parser says that it is too large.
func TestNoMoreIsReadThanADocumentMayHave(t *testing.T) {
	path := filepath.Join(t.TempDir(), "disk.img")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 1<<42); err != nil {
		t.Skip("needs a file system that holds sparse files:", err)
	}
	name, body, err := load(path, nil)
	if err != nil || name != path || len(body) != spec.MaxDoc+1 {
		t.Errorf("load(%s) = %s, %d bytes, %v, want %d bytes", path, name, len(body), err, spec.MaxDoc+1)
	}
}
