// Package binary gives tests of whole processes the lull command to start.
package binary

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Variable names an environment variable with the path of the command, which has to be called lull. Who tests several packages
// builds it once, and sets this: linking it takes seconds.
const Variable = "LULL_TEST_BINARY"

// Lull returns the path of the lull command of this source, and a function that removes what was built for it.
func Lull() (path string, remove func(), err error) {
	if path = os.Getenv(Variable); path != "" {
		return path, func() {}, nil
	}
	dir, err := os.MkdirTemp("", "lull-test-")
	if err != nil {
		return "", nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) }
	path = filepath.Join(dir, "lull")
	if err := Build(path); err != nil {
		remove()
		return "", nil, err
	}
	return path, remove, nil
}

// Build builds the lull command of this source.
func Build(path string) error {
	out, err := exec.Command("go", "build", "-ldflags=-w", "-o", path, "lull/cmd/lull").CombinedOutput()
	if err != nil {
		return fmt.Errorf("build lull: %w\n%s", err, out)
	}
	return nil
}
