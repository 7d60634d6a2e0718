package cgroup

import (
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// A write to a v2 freezer waits for every process that forks, including those that are to be
// killed. Beside movers and a busy primary that took 45 seconds.
func TestKillWaitsForNoFreezer(t *testing.T) {
	tree := kernelTree(t, nil)
	slot, err := tree.Slot(0)
	mustDo(t, err)
	if slot.Unified() == "" || tree.caps.Freeze.Version != 2 {
		t.Skip("needs a v2 freezer")
	}
	spawn(t, slot, `i=0; while [ $i -lt 200 ]; do sleep 1000 & i=$((i+1)); done; echo; wait`)
	written := watchWrites(t, filepath.Join(slot.Unified(), "cgroup.freeze"))
	mustDo(t, slot.Kill(briefly(t)))
	if written() {
		t.Error("Kill writes to the freezer of a slot whose processes do not fork, want no write")
	}
}

// watchWrites returns a function that reports whether the file has been written since.
func watchWrites(t *testing.T, path string) (written func() bool) {
	t.Helper()
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	mustDo(t, err)
	t.Cleanup(func() { _ = unix.Close(fd) })
	_, err = unix.InotifyAddWatch(fd, path, unix.IN_MODIFY)
	mustDo(t, err)
	return func() bool {
		n, err := unix.Read(fd, make([]byte, 4096))
		return err == nil && n > 0
	}
}

// Processes that fork faster than KillAll lists them are reported: the caller must freeze them
// first.
func TestKillAllEndsAForkBomb(t *testing.T) {
	start := func() int {
		cmd := exec.Command("sleep", "1000")
		mustDo(t, cmd.Start())
		t.Cleanup(func() { _ = cmd.Wait() })
		return cmd.Process.Pid
	}
	same := []int{start(), start()}
	if killed, all := KillAll(func() []int { return same }); !all || len(killed) != len(same) {
		t.Errorf("killed %v (all: %v), want all of %v", killed, all, same)
	}
	if killed, all := KillAll(func() []int { return []int{start()} }); all || len(killed) != maxLists {
		t.Errorf("KillAll(a process at each look) = %d, %v, want %d, false", len(killed), all, maxLists)
	}
}
