package contain

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// The doctor says whether tasks have shared memory of their own.
func TestSharedMemoryIsReported(t *testing.T) {
	if l := sharedMemory(unix.EPERM); l.Present || !strings.Contains(l.Text, "operation not permitted") {
		t.Errorf("sharedMemory(EPERM) = %+v, want it absent with the reason", l)
	}
	before, err := os.Readlink("/proc/self/ns/ipc")
	if err != nil {
		t.Skipf("needs /proc with namespaces: %v", err)
	}
	_ = ownIPC() // whether it may depends on where the test runs
	if after, err := os.Readlink("/proc/self/ns/ipc"); after != before {
		t.Errorf("IPC namespace of the process = %s (%v), want %s as before", after, err, before)
	}
	if l := SharedMemory(); l.Bound != "shared memory" || l.Present != (ownIPC() == nil) {
		t.Errorf("SharedMemory() = %+v, want present: %v", l, ownIPC() == nil)
	}
}
