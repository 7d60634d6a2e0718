package agent

import (
	"crypto/sha256"
	"os"
	"slices"
	"testing"

	"lull/test/bench/live/host"
)

// A process's CPU time never falls, and grows with what it does.
func TestCPUSecondsGrow(t *testing.T) {
	before, err := host.CPUSeconds(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	sha256.Sum256(make([]byte, 16<<20)) // uses CPU
	after, err := host.CPUSeconds(os.Getpid(), os.Getpid())
	if err != nil || after <= 2*before {
		t.Errorf("CPUSeconds(this process twice) = %v s, %v, want more than twice the %v s before", after, err, before)
	}
	if _, err := host.CPUSeconds(1 << 22); err == nil { // above the kernel's greatest number
		t.Error("CPUSeconds(a process that does not exist) = nil error, want an error")
	}
}

func TestThisProcessIsFoundByItsProgram(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	pids, err := host.ProcessesOf(self)
	if err != nil || !slices.Contains(pids, os.Getpid()) {
		t.Errorf("ProcessesOf(%s) = %v, %v, want this process among them", self, pids, err)
	}
	if shims, err := host.Helpers(self, "shim", ""); err != nil || slices.Contains(shims, os.Getpid()) {
		t.Errorf("Helpers(shim) = %v, %v, want this process not among them", shims, err)
	}
	if bytes, err := proportional(os.Getpid()); err != nil || bytes < 1<<20 {
		t.Errorf("proportional(this process) = %d bytes, %v, want at least 1 MiB", bytes, err)
	}
}
