package interference

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
