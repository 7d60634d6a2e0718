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

// hurryAfter is how long after the first blow those who were killed get CPU. Nearly
// all need none of it: they have ended by then, unless somebody wants every core.
const hurryAfter = 5 * time.Millisecond

// strike kills everything that the task has started and that is there now. The caller
// repeats it until no child is left, after the time that is returned: the pause that it
// proposes, or less while they lack CPU to end with. The slot is frozen meanwhile, so that
// nobody forks away from the list; in v2 the frozen die all the same, in v1 when they
// thaw. (Not by cgroup.kill: see cgroup.Slot.Kill.)
func (s *server) strike(t *task, now time.Time, pause time.Duration) time.Duration {
	if !t.ended {
		_ = unix.Kill(-t.pid, unix.SIGKILL) // not later: the number may be another's
	}
	s.freeze(true)
	killed := append(children(), s.neighbours()...)
	for _, pid := range killed {
		_ = unix.Kill(pid, unix.SIGKILL) // gone already: all the better
	}
	if t.struckAt.IsZero() {
		t.struckAt = now
	}
	if s.freezer != "" {
		s.freeze(false)
	}
	if now.Sub(t.struckAt) >= hurryAfter && cgroup.Hurry(killed...) {
		return hurryAfter
	}
	return pause
}

// freeze stops the tasks' cgroup, or lets it go on, if there is one that can.
func (s *server) freeze(stop bool) {
	state := map[bool]string{true: "1", false: "0"}[stop]
	fd, err := -1, error(unix.ENOENT)
	switch {
	case s.groups.unified >= 0:
		fd, err = unix.Openat(s.groups.unified, "cgroup.freeze", unix.O_WRONLY|unix.O_CLOEXEC, 0)
	case s.freezer != "":
		state = map[bool]string{true: "FROZEN", false: "THAWED"}[stop]
		fd, err = unix.Open(s.freezer, unix.O_WRONLY|unix.O_CLOEXEC, 0)
	}
	if err != nil {
		return // none, or before Linux 5.2
	}
	_, _ = unix.Write(fd, []byte(state)) // fails only with the cgroup gone
	_ = unix.Close(fd)
}

// neighbours are the others in one of the slot's cgroups, each of which holds all of them.
func (s *server) neighbours() []int {
	group := s.unified
	if dirs := paths(s.joins); group == "" && len(dirs) > 0 {
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
