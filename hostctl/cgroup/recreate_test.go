package cgroup

import (
	"errors"
	"os"
	"strings"
	"testing"
)

func TestRecreateOnKernel(t *testing.T) {
	tree := kernelTree(t, nil)
	s, err := tree.Slot(0)
	mustDo(t, err)
	if recreated, err := s.Recreate(); recreated || err != nil {
		t.Errorf("Recreate() with all groups there = %v, %v, want false", recreated, err)
	}
	mustDo(t, errors.Join(tree.remove()...)) // with all that is empty above it, unless another process uses that
	recreated, err := s.Recreate()
	if !recreated || err != nil || !complete(s) {
		t.Errorf("Recreate() = %v, %v, whole %v, want true, no error, true", recreated, err, complete(s))
	}
	if m := tree.caps.Idle; m.OK() {
		idle, err := tree.parent(m).number(m.File)
		if idle != 1 || err != nil {
			t.Errorf("cpu.idle = %d (%v), want 1", idle, err)
		}
	}
	if m := tree.caps.Cores; m.Version == 1 {
		cores, err := os.ReadFile(string(tree.in(m).sub(m.File)))
		if err = errors.Join(err, tree.SetCores(1)); strings.TrimSpace(string(cores)) == "" || err != nil {
			t.Errorf("cores of the group = %q (%v), want some, or no process can join", cores, err)
		}
	}
}
