package hostctl

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"lull/subjects"
	"lull/subjects/spec"
)

// bare is a root with the machine's /proc, and without cgroups.
func bare(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	if err := os.Symlink("/proc", filepath.Join(root, "proc")); err != nil {
		t.Fatal(err)
	}
	return root
}

// Where no cgroup accounts for CPU time, as for an ordinary user, the monitor must not take the
// CPU time of tasks for the primary's.
func TestTasksCountAsBatchWithoutCgroups(t *testing.T) {
	w := newWorld(t)
	cfg := w.config("alpha")
	cfg.Root = bare(t)
	h := w.host(cfg)
	if h.Capabilities().CPUTime.OK() || len(h.slots.Tree.Slots()) > 0 {
		t.Fatalf("capabilities = %+v, want no cgroups", h.Capabilities())
	}
	idle := h.used()
	end := `until [ -e ` + cfg.Data + `/end ]; do :; done`
	w.Submit("alone", spec.Stage{Argv: sh(end)})
	w.Submit("parent", spec.Stage{Argv: sh(`(` + end + `) & wait`)})
	h.assign("alone", 0, 0, 0)
	h.assign("parent", 0, 0, 1)
	for range 2 {
		next[*subjects.Started](w, nil)
	}
	eventually(t, "two tasks have used a quarter of a CPU second", func() bool { return h.used()-idle > 0.25 })
	shims := h.slots.Shims()
	if len(shims) != 2 {
		t.Errorf("%d shims are counted, want 2", len(shims))
	}
	write(t, cfg.Data+"/end", "")
	for range 2 {
		next[*subjects.Finished](w, nil)
	}
	if after := h.used() - idle; after <= 0.25 {
		t.Errorf("CPU seconds after the tasks ended = %.2f, want more than 0.25", after)
	}
	check(t, h.stop())
	eventually(t, "the shims are gone", func() bool { // in the idle class, so beside other work this takes a while
		return !slices.ContainsFunc(shims, func(pid int) bool { return syscall.Kill(pid, 0) == nil })
	})
}

// used is the CPU seconds of batch work.
func (h *host) used() float64 {
	h.w.T.Helper()
	seconds, _, err := h.Usage()
	check(h.w.T, err)
	return seconds
}
