package cgroup

import (
	"errors"
	"os"
	"strings"
	"testing"
)

func TestMendOnKernel(t *testing.T) {
	tree := kernelTree(t, nil)
	s, err := tree.Slot(0)
	mustDo(t, err)
	if mended, err := s.Mend(); mended || err != nil {
		t.Errorf("with all groups there: %v, %v", mended, err)
	}
	mustDo(t, tree.remove()) // with all that is empty above it, unless somebody else uses that
	mended, err := s.Mend()
	if !mended || err != nil || !complete(s) {
		t.Errorf("mended %v, whole %v: %v", mended, complete(s), err)
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
			t.Errorf("nobody could join: its cores are %q (%v)", cores, err)
		}
	}
}
