package pipeline

import (
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"lull/hostctl/shim"
	"lull/test/binary"
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
	if built.remove != nil {
		built.remove()
	}
	os.Exit(code)
}

var built struct {
	sync.Once
	path   string
	remove func()
	err    error
}

// command returns the path of the lull command, for tests of separate processes.
func command(t *testing.T) string {
	t.Helper()
	built.Do(func() { built.path, built.remove, built.err = binary.Lull() })
	if built.err != nil {
		t.Fatal(built.err)
	}
	return built.path
}

// lull runs a command and returns what it prints.
func lull(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), command(t), args...).CombinedOutput()
	if err != nil {
		t.Fatalf("lull %v = %v, want no error\n%s", args, err, out)
	}
	return string(out)
}
