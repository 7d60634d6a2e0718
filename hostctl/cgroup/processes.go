package cgroup

import (
	"errors"
	"io/fs"
	"strconv"
)

// MostProcesses returns how many processes and threads the tasks of a host may have together: half of what its
// kernel has numbers and memory for. 0 means that this cannot be told.
func MostProcesses(c Capabilities) int {
	most := 0
	for _, limit := range []string{"pid_max", "threads-max"} {
		n, err := dir(c.path("proc/sys/kernel")).number(limit)
		if half := int(n / 2); err == nil && (most == 0 || half < most) {
			most = half
		}
	}
	return most
}

// boundProcesses keeps the tasks of all slots, and of all agents, within MostProcesses. The bound of each slot
// alone is not enough: on a host of many cores, tasks that each keep to it use up all numbers of
// processes, and no program of the primary can start a thread. Shims are in other groups.
func boundProcesses(t *Tree) error {
	m, most := t.caps.PIDs, MostProcesses(t.caps)
	if !m.OK() || most == 0 {
		return nil
	}
	err := t.parent(m).write(m.File, strconv.Itoa(most))
	if errors.Is(err, fs.ErrPermission) {
		return nil // a user that owns the agent's group alone
	}
	return err
}
