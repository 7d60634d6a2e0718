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
		t.Errorf("with all groups there: %v, %v", recreated, err)
	}
	mustDo(t, errors.Join(tree.remove()...)) // with all that is empty above it, unless another process uses that
	recreated, err := s.Recreate()
	if !recreated || err != nil || !complete(s) {
		t.Errorf("recreated %v, whole %v: %v", recreated, complete(s), err)
	}
	if m := tree.caps.Idle; m.OK() {
		idle, err := tree.parent(m).number(m.File)
		if idle != 1 || err != nil {
			t.Errorf("the idle class is %d (%v)", idle, err)
		}
	}
	if m := tree.caps.Cores; m.Version == 1 {
		cores, err := os.ReadFile(string(tree.in(m).sub(m.File)))
		if err = errors.Join(err, tree.SetCores(1)); strings.TrimSpace(string(cores)) == "" || err != nil {
			t.Errorf("no process could join: its cores are %q (%v)", cores, err)
		}
	}
}
