package sense

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// A group stays in its place as long as there is one in it: that is named for the
// process that wants it so.
const holdName = "sensor-%d-"

// keepGroup makes a group inside another one, so that the outer one is not removed. It removes the
// inner groups of processes that were killed before they released them: no other process would, and
// the outer group could never be removed.
func keepGroup(group string) (hold string, err error) {
	left, _ := filepath.Glob(filepath.Join(group, "sensor-*")) // the pattern is a good one
	for _, path := range left {
		pid := 0
		if _, err := fmt.Sscanf(filepath.Base(path), holdName, &pid); err == nil && ended(pid) {
			_ = os.Remove(path) // another agent may have been faster
		}
	}
	return os.MkdirTemp(group, fmt.Sprintf(holdName, os.Getpid()))
}

func ended(pid int) bool { return errors.Is(unix.Kill(pid, 0), unix.ESRCH) }

// releaseGroups removes such groups.
func releaseGroups(holds []string) (err error) {
	for _, hold := range holds {
		if e := os.Remove(hold); !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}
