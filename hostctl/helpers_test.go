package hostctl

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"lull/hostctl/cgroup"
	"lull/hostctl/store"
)

// eventually polls a condition that nothing announces.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(patience)
	for !holds() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("time is over, want that %s", what)
		}
	}
}

// tree lists what is below a folder, itself included.
func tree(t *testing.T, root string) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		paths = append(paths, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// ls lists what matches, with sizes.
func ls(t *testing.T, pattern string) string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, p := range paths {
		var st syscall.Stat_t
		if syscall.Stat(p, &st) == nil {
			b.WriteString(p + " " + strconv.FormatInt(st.Size, 10) + "\n")
		}
	}
	return b.String()
}

func killPID(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
}

func uintText(n uint64) string { return strconv.FormatUint(n, 10) }

// folder is that of an attempt that the host runs.
func (h *host) folder(attempt uint64) store.Folder {
	f, _, _ := h.attempts.Running(attempt)
	return f
}

// cgroup is the name of the agent's groups.
func (h *host) cgroup() string {
	for _, path := range append(h.slots.All()[0].Group.Joins(), h.slots.All()[0].Group.Unified()) {
		if path != "" {
			return filepath.Base(filepath.Dir(path))
		}
	}
	return cgroup.Parent
}

func check(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}
