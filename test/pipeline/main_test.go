package pipeline

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"lull/hostctl/shim"
)

// patience bounds every wait. What takes seconds on a machine with other work
// to do takes milliseconds otherwise.
const patience = 150 * time.Second

// TestMain makes this binary serve as the shim of the tests' slots, as the lull command is of its
// own.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "shim" {
		os.Exit(shim.Main(os.Args[2:]))
	}
	code := m.Run()
	if built.dir != "" {
		_ = os.RemoveAll(built.dir)
	}
	os.Exit(code)
}

var built struct {
	sync.Once
	dir string
	err error
}

// binary builds the lull command, once, for the tests of separate processes.
func binary(t *testing.T) string {
	t.Helper()
	built.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "lull-pipeline-"); built.err != nil {
			return
		}
		out, err := exec.Command("go", "build", "-o", built.dir, "lull/cmd/lull").CombinedOutput()
		if err != nil {
			built.err = fmt.Errorf("%w\n%s", err, out)
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return filepath.Join(built.dir, "lull")
}

// lull runs a command and returns what it prints.
func lull(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), binary(t), args...).CombinedOutput()
	if err != nil {
		t.Fatalf("lull %v = %v, want no error\n%s", args, err, out)
	}
	return string(out)
}
