package shim

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// strike kills everything that the task has started and that is there now. Who
// forks meanwhile is met by the next strike: the caller repeats it until no
// child is left. With a v2 cgroup one strike is enough.
func (s *server) strike(t *task) {
	if !t.ended {
		_ = unix.Kill(-t.pid, unix.SIGKILL) // not later: the number may be another's
	}
	if s.unified >= 0 && s.killGroup() == nil {
		return
	}
	for _, pid := range append(children(), s.neighbours()...) {
		_ = unix.Kill(pid, unix.SIGKILL)
	}
}

// killGroup kills the whole v2 cgroup, frozen or not.
func (s *server) killGroup() error {
	fd, err := unix.Openat(s.unified, "cgroup.kill", unix.O_WRONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd) //nolint:errcheck // nothing is buffered
	_, err = unix.Write(fd, []byte("1"))
	return err
}

// neighbours are the other processes of the v1 cgroup that we share with the task.
func (s *server) neighbours() []int {
	dirs := s.joined()
	if len(dirs) == 0 {
		return nil
	}
	self := os.Getpid()
	var others []int
	for _, pid := range readPIDs(filepath.Join(dirs[0], "cgroup.procs")) {
		if pid != self {
			others = append(others, pid)
		}
	}
	return others
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
