package host

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// states is how long the threads of processes were in the states of MIMP's
// Table 1, in seconds: on a CPU, waiting for one, and neither.
type states struct{ running, runnable, blocked float64 }

func (s states) since(past states) states {
	return states{s.running - past.running, s.runnable - past.runnable, s.blocked - past.blocked}
}

// readStates sums over the threads that live. The programs measured keep
// theirs; Blocked counts each thread's rest of the time since a fixed moment.
func readStates(at time.Time, pids ...int) (sum states, err error) {
	for _, pid := range pids {
		paths, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
		if err != nil || len(paths) == 0 {
			return sum, errors.Join(fmt.Errorf("process %d is gone", pid), err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if errors.Is(err, fs.ErrNotExist) {
				continue // it ended just now
			} else if err != nil {
				return sum, err
			}
			run, wait, err := parseSchedstat(string(text))
			if err != nil {
				return sum, fmt.Errorf("%s: %w", path, err)
			}
			sum.running, sum.runnable = sum.running+run, sum.runnable+wait
			sum.blocked += time.Since(at).Seconds() - run - wait
		}
	}
	return sum, nil
}

// parseSchedstat reads "ns on a CPU, ns waiting for one, timeslices".
func parseSchedstat(text string) (run, wait float64, err error) {
	fields := strings.Fields(text)
	if len(fields) < 2 {
		return 0, 0, fmt.Errorf("%q has no two times", text)
	}
	r, err1 := strconv.ParseUint(fields[0], 10, 64)
	w, err2 := strconv.ParseUint(fields[1], 10, 64)
	return float64(r) / 1e9, float64(w) / 1e9, errors.Join(err1, err2)
}

// familyTime is the CPU that a process and its children that have ended used.
func familyTime(pid int) (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(text), ") ") // a command's name may hold blanks, ours does not
	fields := strings.Fields(rest)
	if len(fields) < 15 {
		return 0, fmt.Errorf("/proc/%d/stat has %d fields", pid, len(fields))
	}
	var ticks int64
	for _, f := range fields[11:15] { // utime, stime, cutime, cstime
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return time.Duration(ticks) * (time.Second / 100), nil // USER_HZ is 100 on Linux
}
