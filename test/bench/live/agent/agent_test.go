package agent

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"lull/test/bench/live/host"
)

// A process's CPU time never falls, and grows with what it does.
func TestSpentGrows(t *testing.T) {
	before, err := host.Spent(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if err := fmt.Sprint(make([]int, 10_000)); err == "" {
			t.Fatal("nothing was printed")
		}
	}
	after, err := host.Spent(os.Getpid(), os.Getpid())
	if err != nil || after <= 2*before {
		t.Errorf("%v s before, %v s twice over after (%v)", before, after, err)
	}
	if _, err := host.Spent(1 << 22); err == nil { // above the kernel's greatest number
		t.Error("a process that is not there used CPU")
	}
}

func TestThisProcessIsFoundByItsProgram(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	pids, err := host.Runners(self)
	if err != nil || !slices.Contains(pids, os.Getpid()) {
		t.Errorf("processes %v run %s (%v)", pids, self, err)
	}
	if shims, err := host.Asides(self, "shim", ""); err != nil || slices.Contains(shims, os.Getpid()) {
		t.Errorf("%v are shims (%v)", shims, err)
	}
	if bytes, err := proportional(os.Getpid()); err != nil || bytes < 1<<20 {
		t.Errorf("%d bytes (%v)", bytes, err)
	}
}
