package cgroup

import (
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// Beside a primary that wants every core, killed processes end although the kernel refuses them a
// reservation: the guard confined them to some cores, or they did so themselves.
func TestConfinedProcessesEndBesideABusyPrimary(t *testing.T) {
	onEach(t, func(t *testing.T, tree *Tree, slot *Slot) {
		needs(t, tree.caps.Idle)
		needs(t, tree.caps.Weight)
		if runtime.NumCPU() < 2 {
			t.Skip("needs two cores, of which one is left out")
		}
		for _, confine := range []func(pid int) error{
			func(pid int) error { var one unix.CPUSet; one.Set(0); return unix.SchedSetaffinity(pid, &one) },
			func(int) error { return tree.SetCores(1) },
		} {
			cmd := spawn(t, slot, `echo; exec sleep 1000`)
			if err := confine(cmd.Process.Pid); err != nil {
				t.Skip("needs cpusets: ", err)
			}
			wantEveryCore(t)
			mustDo(t, slot.Kill(briefly(t)))
		}
		mustDo(t, tree.SetCores(runtime.NumCPU()))
	})
}

// wantEveryCore keeps all cores busy at ordinary priority until the end of the test, each of them by processes
// that stay there.
func wantEveryCore(t *testing.T) {
	t.Helper()
	for n := range 2 * runtime.NumCPU() {
		cmd := exec.Command("taskset", "-c", strconv.Itoa(n%runtime.NumCPU()), "/bin/sh", "-c", "while :; do :; done")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
		if err := cmd.Start(); err != nil {
			t.Skip("needs taskset: ", err)
		}
		t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	}
}
