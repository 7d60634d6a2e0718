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
	if out, err := exec.Command("go", "build", "-ldflags=-w", "-o", path, "lull/cmd/lull").CombinedOutput(); err != nil {
		remove()
		return "", nil, fmt.Errorf("build lull: %w\n%s", err, out)
	}
	return path, remove, nil
}
