package speeds

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// states are the processes of a host, by what its /proc says of their states.
func states(t *testing.T, of map[int]string) (root string) {
	t.Helper()
	root = t.TempDir()
	for pid, state := range of {
		dir := filepath.Join(root, "proc", strconv.Itoa(pid))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "stat"), []byte(strconv.Itoa(pid)+" (a) T b) "+state+" 1 1\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestATaskIsStoppedIfNothingOfItRuns(t *testing.T) {
	root := states(t, map[int]string{1: "S", 2: "T", 3: "T", 4: "R", 5: "D", 6: "t", 7: "Z"})
	for _, c := range []struct {
		pids []int
		want uint32
	}{
		{nil, 0},
		{[]int{1}, 0},
		{[]int{1, 2, 3}, 2},
		{[]int{2, 4}, 0},
		{[]int{5, 2}, 0},
		{[]int{6}, 0}, // by a debugger
		{[]int{7, 3, 9}, 3},
	} {
		if got := stoppedAmong(root, c.pids); got != c.want {
			t.Errorf("stopped among %v = %d, want %d", c.pids, got, c.want)
		}
	}
}

func TestAStopIsNamedFromTheSecondLookOn(t *testing.T) {
	stopped, running := states(t, map[int]string{2: "T"}), states(t, map[int]string{2: "R"})
	var s stoppedTask
	for i, c := range []struct {
		root string
		held bool
		want uint32
	}{
		{stopped, false, 0}, {stopped, false, 2}, {stopped, false, 2},
		{stopped, true, 0}, // lull itself holds it now
		{stopped, false, 0}, {stopped, false, 2},
		{running, false, 0}, {stopped, false, 0},
	} {
		if s.look(c.root, []int{2}, c.held); s.process() != c.want {
			t.Errorf("look %d: process %d, want %d", i, s.process(), c.want)
		}
	}
}
