package shim

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"lull/hostctl/cgroup"
	"lull/subjects"
)

// Any process with the right may remove an empty cgroup. The next task does not run outside, and
// its attempt is not reported as failed. Once the groups exist again it runs.
func TestGroupsThatAreRemovedAndMadeAgain(t *testing.T) {
	for name, drop := range map[string]func(*cgroup.Capabilities){"as it is": nil, "v1 only": v1Only} {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			cfg := testConfig(t)
			cfg.Slot = testSlot(t, testTreeWith(t, drop), 0)
			c := launch(t, cfg)
			run(t, c, shell(cfg, 1, "true"))
			for n, group := range append(cfg.Slot.Joins(), cfg.Slot.Unified()) {
				if filepath.Base(group) != "slot-0" {
					continue // shared with other slots
				}
				removeGroup(t, group)
				attempt := uint64(10 * (n + 1))
				if err := c.Start(shell(cfg, attempt, "true")); err != nil {
					t.Fatal(err)
				}
				if e := next[*StartFailed](t, c); e.Reason != subjects.ReasonSlot {
					t.Errorf("without %s: %+v, want it failed for the slot", group, e)
				}
				if recreated, err := cfg.Slot.Recreate(); !recreated || err != nil {
					t.Fatalf("Recreate() = %v, %v, want true", recreated, err)
				}
				if e := run(t, c, shell(cfg, attempt+1, "cat /proc/self/cgroup")); e.Status != 0 {
					t.Errorf("with %s again: %+v, want status 0", group, e)
				}
				if got := read(t, cfg.Dir, "stdout"); strings.Count(got, "/slot-0") < 2 {
					t.Errorf("groups of the task = %s, want at least two of slot-0", got)
				}
			}
		})
	}
}

// removeGroup waits until the last thread has left a group: the kernel is still busy with that when
// the process has been waited for.
func removeGroup(t *testing.T, group string) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	deadline := time.After(patience)
	for {
		err := unix.Rmdir(group)
		if err == nil {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("%s: %v after the time limit, want it removed", group, err)
		}
	}
}
