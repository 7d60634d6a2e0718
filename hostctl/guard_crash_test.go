package hostctl

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lull/hostctl/cgroup"
	"lull/subjects"
	"lull/subjects/spec"
)

// An agent can die while tasks are raised, frozen, capped or kept to few cores.
// The next one writes what is to be before it does anything else.
func TestAfterACrashNothingStaysRaisedFrozenOrCapped(t *testing.T) {
	w := serveWorld(t)
	data := t.TempDir()
	first, term := w.process(data)
	w.Submit("job", spec.Stage{Argv: sh("sleep 60")})
	w.Assign("alpha", term, "job", 0, 0, 0)
	next[*subjects.Started](w.world, nil)
	crash(t, first)
	files := leaveBehind(t, data)
	second, _ := w.process(data)
	joined := time.Now()
	eventually(t, "all is neutral again", func() bool { return allHold(t, files) })
	t.Logf("neutral %v after the host joined again", time.Since(joined))
	leave(t, second)
}

// allHold reports whether each file holds what it is to hold.
func allHold(t *testing.T, files map[string]string) bool {
	t.Helper()
	for path, want := range files {
		if strings.TrimSpace(read(t, path)) != want {
			return false
		}
	}
	return true
}

// isClass reports whether a file puts batch work into its class. All agents of a host share
// that one: others may raise it for a moment, or have put it back.
func isClass(path string) bool { return filepath.Base(filepath.Dir(path)) == cgroup.Parent }

// leaveBehind makes the state of an agent that died at the worst moment. It returns the files to
// check with their expected contents.
func leaveBehind(t *testing.T, data string) map[string]string {
	t.Helper()
	caps, err := cgroup.Detect("/")
	check(t, err)
	root, err := filepath.Abs(filepath.Join(data, "test"))
	check(t, err)
	sum := sha256.Sum256([]byte(root))
	name := fmt.Sprintf("alpha-%x", sum[:4])
	tree, err := cgroup.Open(caps, name)
	check(t, err)
	slot, err := tree.Slot(0)
	check(t, err)
	before := map[string]string{}
	for m, in := range map[cgroup.Mechanism]string{caps.Cap: "slot-0", caps.Cores: ""} {
		if m.OK() {
			path := filepath.Join(m.Mount, cgroup.Parent, name, in, m.File)
			before[path] = strings.TrimSpace(read(t, path))
		}
	}
	check(t, present(tree.Raise(true)), present(tree.SetCores(1)), present(slot.SetCap(0.1)), present(slot.Freeze(t.Context())))
	if m := caps.Freeze; m.Version == 2 {
		before[filepath.Join(m.Mount, cgroup.Parent, name, "slot-0", m.File)] = "0"
	}
	for path, neutral := range before {
		if got := strings.TrimSpace(read(t, path)); got == neutral {
			t.Fatalf("%s = %s, want another value left behind", path, got)
		}
	}
	if m := caps.Idle; m.OK() { // see isClass
		before[filepath.Join(m.Mount, cgroup.Parent, m.File)] = "1"
	}
	if len(before) == 0 {
		t.Skip("needs cgroup settings that an agent can leave behind")
	}
	return before
}

func present(err error) error {
	if errors.Is(err, cgroup.ErrAbsent) || errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}
