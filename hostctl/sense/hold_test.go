package sense

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

func TestWhatAKilledAgentHeldIsLetGoOf(t *testing.T) {
	group := t.TempDir()
	dead := exec.Command("true")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	ours, err := keepGroup(group)
	if err != nil {
		t.Fatal(err)
	}
	slot := filepath.Join(group, "host-1")
	for _, path := range []string{filepath.Join(group, fmt.Sprintf(holdName+"7", dead.Process.Pid)), slot} {
		if err := os.Mkdir(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	next, err := keepGroup(group)
	if err != nil {
		t.Fatal(err)
	}
	there, err := filepath.Glob(filepath.Join(group, "*"))
	if want := []string{slot, ours, next}; err != nil || len(there) != len(want) || !slices.ContainsFunc(there, func(p string) bool { return p == ours }) {
		t.Errorf("there are %q, %v; want %q", there, err, want)
	}
	if err := releaseGroups([]string{ours, next, next}); err != nil {
		t.Errorf("releaseGroups(a group that is gone) = %v, want no error", err)
	}
	if there, _ = filepath.Glob(filepath.Join(group, "*")); !slices.Equal(there, []string{slot}) {
		t.Errorf("groups = %q, want %q alone", there, slot)
	}
}
