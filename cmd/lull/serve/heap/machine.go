package heap

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Default is the default limit, in bytes: a quarter of the memory of the machine, or of the
// process's cgroups if they allow less. The rest is for the primary, the tasks and the page
// cache. root is "/" except in tests.
func Default(root string) (limit, machine uint64, err error) {
	machine, err = total(root)
	if err != nil {
		return 0, 0, err
	}
	if bound := cgroup(root); bound != 0 {
		machine = min(machine, bound)
	}
	return max(machine/4, Least), machine, nil
}

func total(root string) (uint64, error) {
	body, err := os.ReadFile(filepath.Join(root, "proc/meminfo"))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(body)) {
		if rest, ok := strings.CutPrefix(line, "MemTotal:"); ok {
			kib, err := strconv.ParseUint(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return kib << 10, err
		}
	}
	return 0, fmt.Errorf("/proc/meminfo does not say how much memory there is")
}

// cgroup is the least limit of the process's memory cgroups, 0 for none.
func cgroup(root string) (least uint64) {
	body, err := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(body)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) != 3 {
			continue
		}
		mount, file := "sys/fs/cgroup", "memory.max"
		if fields[1] != "" {
			mount, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		}
		if fields[1] != "" && fields[1] != "memory" {
			continue
		}
		for dir := fields[2]; ; dir = filepath.Dir(dir) {
			if limit := limitIn(filepath.Join(root, mount, dir, file)); limit != 0 && (least == 0 || limit < least) {
				least = limit
			}
			if dir == "/" || dir == "." {
				break
			}
		}
	}
	return least
}

// limitIn reads a limit, 0 for none: v2 says max, v1 a number beyond all memory.
func limitIn(path string) uint64 {
	body, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	limit, err := strconv.ParseUint(string(bytes.TrimSpace(body)), 10, 64)
	if err != nil || limit > 1<<60 {
		return 0
	}
	return limit
}
