package shim

import (
	"os"
	"strings"
	"testing"
)

// Shared memory that a task leaves goes with its namespace. In the host's it would stay until a restart, beyond
// every memory limit.
func TestATaskHasItsOwnIPC(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root, to make namespaces")
	}
	ours, err := os.Readlink("/proc/self/ns/ipc")
	if err != nil {
		t.Skip("needs a kernel with IPC namespaces")
	}
	cfg := testConfig(t)
	c := launch(t, cfg)
	if e := run(t, c, shell(cfg, 1, `readlink /proc/self/ns/ipc`)); e.Status != 0 {
		t.Fatalf("end = %+v, want status 0", e)
	}
	first := strings.TrimSpace(read(t, cfg.Dir, "stdout"))
	run(t, c, shell(cfg, 2, `readlink /proc/self/ns/ipc`))
	if second := strings.TrimSpace(read(t, cfg.Dir, "stdout")); first == ours || second == ours {
		t.Errorf("IPC namespaces of tasks = %s, %s, want others than the agent's %s", first, second, ours)
	}
}
