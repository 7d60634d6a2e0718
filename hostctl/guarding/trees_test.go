package guarding

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lull/hostctl/trees"
)

// writeProcess writes the /proc folder of a process that has one thread.
func writeProcess(t *testing.T, root string, pid int, state string, ticks int, children string) {
	t.Helper()
	folder := filepath.Join(root, "proc", fmt.Sprint(pid))
	thread := filepath.Join(folder, "task", fmt.Sprint(pid))
	if err := os.MkdirAll(thread, 0o755); err != nil {
		t.Fatal(err)
	}
	stat := fmt.Sprintf("%d (x) %s 1 7 7 0 -1 0 0 0 0 0 %d 0 0 0 20 0 1 0 1000 0 0", pid, state, ticks)
	for path, text := range map[string]string{filepath.Join(folder, "stat"): stat, filepath.Join(thread, "children"): children} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Without cgroups the guard knows from processes whether tasks have CPU, and want it.
func TestTasksThatRunOrSleepDoNotStarveWithoutCgroups(t *testing.T) {
	root, tasks, now := t.TempDir(), 1, time.Now()
	g := guardianOf(t, &tasks)
	g.sampler.trees = trees.New(root, func() []int { return []int{10} })
	used := 0
	for _, c := range []struct {
		what, state string
		ticks       int // of CPU in each turn
		starves     bool
	}{
		{"it computes", "R", 1, false},
		{"it waits for a CPU", "R", 0, true},
		{"it computes again", "R", 1, false},
		{"it sleeps", "S", 0, false},
	} {
		writeProcess(t, root, 10, "S", 0, "11")
		for range 30 { // three seconds
			used += c.ticks
			writeProcess(t, root, 11, c.state, used, "")
			now = now.Add(slowInterval)
			g.Turn(now)
		}
		if _, why := g.Allowed(); strings.Contains(why, "no CPU") != c.starves {
			t.Errorf("%s: held because of %q, want no CPU: %v", c.what, why, c.starves)
		}
	}
}
