package shim

import (
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// threads calls visit with each thread of the task's processes and its folder in /proc.
func (f *forker) threads(visit func(tid int, path string)) {
	pids := f.othersInGroup()
	if len(pids) == 0 {
		pids = descendants()
	}
	slices.Sort(pids)
	for _, pid := range slices.Compact(pids) {
		tasks := "/proc/" + strconv.Itoa(pid) + "/task"
		entries, _ := os.ReadDir(tasks) // none if the process has ended
		for _, e := range entries {
			if tid, err := strconv.Atoi(e.Name()); err == nil {
				visit(tid, tasks+"/"+e.Name())
			}
		}
	}
}

func readFields(path string) []string {
	b, _ := os.ReadFile(path)
	return strings.Fields(string(b))
}

// isRunnable reports whether a thread runs or waits for a CPU.
func isRunnable(path string) bool {
	b, _ := os.ReadFile(path + "/stat")
	_, state, ok := strings.Cut(string(b[strings.LastIndexByte(string(b), ')')+1:]), " ")
	return ok && strings.HasPrefix(state, "R")
}

// isFrozen reports whether the slot's cgroup is frozen, or about to be. known is false without one that can.
func (f *forker) isFrozen() (frozen, known bool) {
	fd, err := -1, error(unix.ENOENT)
	switch {
	case f.freezer != "":
		fd, err = unix.Open(f.freezer, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	case f.groups.unified >= 0:
		fd, err = unix.Openat(f.groups.unified, "cgroup.freeze", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	}
	if err != nil {
		return false, false
	}
	var b [16]byte
	n, err := unix.Pread(fd, b[:], 0)
	_ = unix.Close(fd)
	state := strings.TrimSpace(string(b[:max(n, 0)]))
	return state == "1" || state == "FROZEN" || state == "FREEZING", err == nil
}
