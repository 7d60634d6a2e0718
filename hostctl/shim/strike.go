package shim

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// strike kills everything that the task has started and that is there now. The
// caller repeats it until no child is left. A v2 cgroup is frozen meanwhile, so
// that nobody forks away from the list; those in it die all the same. (Not by
// cgroup.kill: see cgroup.Slot.Kill.)
func (s *server) strike(t *task) {
	if !t.ended {
		_ = unix.Kill(-t.pid, unix.SIGKILL) // not later: the number may be another's
	}
	t.struck = true
	s.freeze("1")
	for _, pid := range append(children(), s.neighbours()...) {
		_ = unix.Kill(pid, unix.SIGKILL) // gone already: all the better
	}
}

// freeze sets the state of the tasks' v2 cgroup, if there is one.
func (s *server) freeze(state string) {
	if s.unified < 0 {
		return
	}
	fd, err := unix.Openat(s.unified, "cgroup.freeze", unix.O_WRONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return // before Linux 5.2
	}
	_, _ = unix.Write(fd, []byte(state)) // fails only with the cgroup gone
	_ = unix.Close(fd)
}

// neighbours are the others in one of the slot's cgroups: each holds all of them.
func (s *server) neighbours() []int {
	group := s.options.unified
	if dirs := s.joined(); group == "" && len(dirs) > 0 {
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
