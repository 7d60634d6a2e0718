package shim

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"lull/hostctl/cgroup"
)

// giveCPUAfter is how long after the first kill the killed processes get CPU. Nearly
// all need none of it: they have ended by then, unless a primary wants every core.
const giveCPUAfter = 5 * time.Millisecond

// killOnce kills the processes of the task that exist now. The caller repeats it until no child is
// left, after the returned time: the pause that the caller proposes, or less while the processes
// lack CPU to end. If they fork faster than they are killed, the slot is frozen first. In v2 frozen
// processes die all the same, in v1 when they thaw. cgroup.Slot.Kill says why it does not use
// cgroup.kill.
func (f *forker) killOnce(t *task, now time.Time, pause time.Duration) time.Duration {
	if !t.ended {
		_ = unix.Kill(-t.pid, unix.SIGKILL) // not later: the number may be another's
	}
	killed, all := cgroup.KillAll(f.members)
	if !all {
		f.freeze(true)
		killed, _ = cgroup.KillAll(f.members)
	}
	if t.firstKillAt.IsZero() {
		t.firstKillAt = now
	}
	if f.freezer != "" {
		f.freeze(false)
	}
	if now.Sub(t.firstKillAt) >= giveCPUAfter && t.dying.GiveCPU(killed...) {
		return giveCPUAfter
	}
	return pause
}

// freeze stops the tasks' cgroup, or continues it, if there is one that can freeze.
func (f *forker) freeze(stop bool) {
	switch {
	case f.groups.unified >= 0:
		fd, err := unix.Openat(f.groups.unified, "cgroup.freeze", unix.O_RDWR|unix.O_CLOEXEC, 0)
		writeIfChanged(fd, err, map[bool]string{true: "1", false: "0"}[stop])
	case f.freezer != "":
		fd, err := unix.Open(f.freezer, unix.O_RDWR|unix.O_CLOEXEC, 0)
		writeIfChanged(fd, err, map[bool]string{true: "FROZEN", false: "THAWED"}[stop])
	}
}

// writeIfChanged writes a word to a freezer that does not hold it already: to write may be to wait
// (cgroup.KillAll).
func writeIfChanged(fd int, err error, word string) {
	if err != nil {
		return // none, or before Linux 5.2
	}
	var b [16]byte
	if n, err := unix.Pread(fd, b[:], 0); err != nil || strings.TrimSpace(string(b[:max(n, 0)])) != word {
		_, _ = unix.Pwrite(fd, []byte(word), 0) // fails only with the cgroup gone
	}
	_ = unix.Close(fd)
}

// members returns the processes of the task that still exist.
func (f *forker) members() []int { return append(children(), f.othersInGroup()...) }

// othersInGroup are the others in one of the slot's cgroups, each of which holds all of them.
func (f *forker) othersInGroup() []int {
	group := f.unified
	if dirs := paths(f.joins); group == "" && len(dirs) > 0 {
		group = dirs[0]
	}
	if group == "" {
		return nil
	}
	pids := readPIDs(filepath.Join(group, "cgroup.procs"))
	return slices.DeleteFunc(pids, func(pid int) bool { return pid == os.Getpid() })
}

// children are our own, daemons that the task's processes left included. Each
// thread has its list, and the kernel gives orphans to any of them.
func children() []int { return childrenOf("self") }

func childrenOf(process string) []int {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%s/task/*/children", process))
	var all []int
	for _, list := range lists {
		all = append(all, readPIDs(list)...)
	}
	return all
}

func readPIDs(path string) []int {
	b, _ := os.ReadFile(path)
	var pids []int
	for field := range strings.FieldsSeq(string(b)) {
		if pid, err := strconv.Atoi(field); err == nil && pid > 0 {
			pids = append(pids, pid)
		}
	}
	return pids
}
