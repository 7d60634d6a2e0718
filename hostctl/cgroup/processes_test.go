package cgroup

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// Tasks of all slots together may have half of the processes and threads that the kernel has.
func TestAllTasksTogetherLeaveProcesses(t *testing.T) {
	for _, c := range []struct{ pids, threads, want string }{
		{"32768\n", "127000\n", "16384"}, {"4194304\n", "15000\n", "7500"}, {"", "", "max"},
	} {
		for file, h := range map[string]host{"pids/lull/pids.max": v1Host(), "lull/pids.max": v2Host()} {
			if c.pids != "" {
				h = h.with("proc/sys/kernel/pid_max", c.pids).with("proc/sys/kernel/threads-max", c.threads)
			}
			if _, _, read := opened(t, h); read(file) != c.want {
				t.Errorf("pid_max %q, threads-max %q: %s = %q, want %q", c.pids, c.threads, file, read(file), c.want)
			}
		}
	}
}

// The kernel takes the bound, also for a parent that was removed and made again.
func TestAllTasksTogetherAreBoundOnKernel(t *testing.T) {
	tree := kernelTree(t, nil)
	if !tree.caps.PIDs.OK() {
		t.Skip("needs a cgroup that counts processes")
	}
	b, err := os.ReadFile(string(tree.parent(tree.caps.PIDs)) + "/pids.max")
	mustDo(t, err)
	if got, want := strings.TrimSpace(string(b)), strconv.Itoa(MostProcesses(tree.caps)); got != want {
		t.Errorf("pids.max of all tasks = %s, want %s", got, want)
	}
}
