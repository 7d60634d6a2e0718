package cgroup

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
)

// SetCores confines the agent's tasks to the n highest-numbered cores; n at or
// above the number of cores lifts that. Below 1 counts as 1: a cpuset cannot be
// empty, and freezing is the way to none.
//
// The highest, because interrupts and what pins itself begin at core 0.
func (t *Tree) SetCores(n int) error {
	m := t.caps.Cores
	if !m.OK() {
		return fmt.Errorf("set of cores: %w", ErrAbsent)
	}
	return t.Settings.set(t.in(m), []string{m.File}, func() error {
		all, err := usableCores(m)
		if err != nil {
			return fmt.Errorf("set of cores: %w", err)
		}
		// All of them by name, too: an empty set is refused (v2, Linux 6.1) or bars tasks (v1).
		return t.in(m).write(m.File, list(all[len(all)-min(max(n, 1), len(all)):]))
	})
}

// usableCores returns the cores that the root of a mechanism's hierarchy may use.
func usableCores(m Mechanism) ([]int, error) {
	file := map[int]string{1: "cpuset.effective_cpus", 2: "cpuset.cpus.effective"}[m.Version]
	all, err := readFile(dir(m.Mount), file, parseCPUs)
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("%s/%s is empty", m.Mount, file)
	}
	return all, err
}

// openCores gives the v1 cpusets of lull and of the agent the cores of their root. A new cpuset is
// empty, and no process may join an empty one.
func (t *Tree) openCores() error {
	m := t.caps.Cores
	if m.Version != 1 {
		return nil
	}
	for _, file := range []string{"cpus", "mems"} {
		all, err := readFile(dir(m.Mount), "cpuset.effective_"+file, parseCPUs)
		for _, d := range []dir{t.parent(m), t.in(m)} {
			err = errors.Join(err, d.write("cpuset."+file, list(all)))
		}
		if err != nil {
			return fmt.Errorf("make the agent's cpuset: %w", err)
		}
	}
	return nil
}

// online counts the cores that are online.
func (c Capabilities) online() int {
	all, err := readFile(dir(c.path("sys/devices/system/cpu")), "online", parseCPUs)
	if err != nil || len(all) == 0 {
		return runtime.NumCPU()
	}
	return len(all)
}

// maxCPUs bounds what a list may name: the kernel's largest NR_CPUS is 8192.
const maxCPUs = 1 << 16

// parseCPUs reads a list such as "0-3,8", see cpuset(7).
func parseCPUs(r io.Reader) (all []int, err error) {
	b, err := io.ReadAll(io.LimitReader(r, 1<<16))
	if err != nil {
		return nil, err
	}
	for part := range strings.SplitSeq(strings.TrimSpace(string(b)), ",") {
		if all, err = appendRange(all, part); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// appendRange appends the numbers of "8", "0-3" or "". A list that names more
// than maxCPUs is no list of cores.
func appendRange(all []int, part string) ([]int, error) {
	if part == "" {
		return all, nil
	}
	first, last, isRange := strings.Cut(part, "-")
	if !isRange {
		last = first
	}
	from, err := strconv.ParseUint(first, 10, 16)
	to, bad := strconv.ParseUint(last, 10, 16)
	if err != nil || bad != nil || len(all)+int(to)-int(from) > maxCPUs {
		return nil, fmt.Errorf("not a list of cores: %q", part)
	}
	for n := from; n <= to; n++ {
		all = append(all, int(n))
	}
	return all, nil
}

// list writes cores the way parseCPUs reads them.
func list(cpus []int) string {
	parts := make([]string, len(cpus))
	for i, n := range cpus {
		parts[i] = strconv.Itoa(n)
	}
	return strings.Join(parts, ",")
}
