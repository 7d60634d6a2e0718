package host

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// CPUSeconds is the CPU seconds of processes, to the nanosecond: of all their
// threads, those that have ended too (clock_getcpuclockid(3)).
func CPUSeconds(pids ...int) (seconds float64, err error) {
	for _, pid := range pids {
		const scheduler = 2 // CPUCLOCK_SCHED
		var used unix.Timespec
		if err := unix.ClockGettime(int32(^pid<<3|scheduler), &used); err != nil {
			return 0, fmt.Errorf("CPU time of process %d: %w", pid, err)
		}
		seconds += float64(used.Nano()) / 1e9
	}
	return seconds, nil
}

// Helpers lists the processes of a kind that an agent started: its program under
// another name, shim or spread, with their place below a folder.
func Helpers(program, kind, folder string) (pids []int, err error) {
	all, err := ProcessesOf(program)
	for _, pid := range all {
		text, gone := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if words := strings.Split(string(text), "\x00"); gone == nil && len(words) > 1 && words[1] == kind && strings.Contains(string(text), folder) {
			pids = append(pids, pid)
		}
	}
	return pids, err
}

// ProcessesOf lists those that run a program, by its path.
func ProcessesOf(program string) (pids []int, err error) {
	paths, err := filepath.Glob("/proc/[0-9]*/exe")
	for _, path := range paths {
		if at, gone := os.Readlink(path); gone != nil || at != program {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err != nil {
			return nil, err
		}
		pids = append(pids, pid)
	}
	slices.Sort(pids)
	return pids, err
}
