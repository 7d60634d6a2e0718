package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// settle puts this process into cgroups, on a core and at a priority.
func settle(join string, nice, core int) error {
	for _, dir := range strings.FieldsFunc(join, func(r rune) bool { return r == ':' }) {
		if err := os.WriteFile(filepath.Join(dir, "cgroup.procs"), []byte("0"), 0o644); err != nil {
			return fmt.Errorf("join %s: %w", dir, err)
		}
	}
	return eachThread(func(id int) error {
		if err := unix.Setpriority(unix.PRIO_PROCESS, id, nice); err != nil {
			return fmt.Errorf("take priority %d: %w", nice, err)
		}
		if core < 0 {
			return nil
		}
		var only unix.CPUSet
		only.Set(core)
		return unix.SchedSetaffinity(id, &only)
	})
}

// eachThread calls f with every thread of this process: priority and cores are
// a thread's own on Linux, and the runtime has started some.
func eachThread(f func(id int) error) error {
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return err
	}
	for _, t := range threads {
		id, err := strconv.Atoi(t.Name())
		if err == nil {
			err = f(id)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
