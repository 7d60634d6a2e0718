package cgroup

import (
	"errors"
	"testing"
)

func TestRaise(t *testing.T) {
	for _, c := range []struct {
		name               string
		host               host
		idle, weight, full string
	}{
		{"v1", v1Host(), "cpu/lull/cpu.idle", "cpu/lull/cpu.shares", "1024"},
		{"v2", v2Host(), "lull/cpu.idle", "lull/cpu.weight", "100"},
	} {
		tree, _, file := opened(t, c.host)
		mustDo(t, tree.Raise(true))
		if got := file(c.idle) + " " + file(c.weight); got != "0 "+c.full {
			t.Errorf("%s raised: idle, weight = %q, want 0 %s", c.name, got, c.full)
		}
		mustDo(t, tree.Raise(false))
		if got := file(c.idle); got != "1" {
			t.Errorf("%s put back: idle = %q, want 1", c.name, got)
		}
	}
}

func TestRaiseNeedsAWeight(t *testing.T) {
	tree := &Tree{}
	if err := tree.Raise(true); !errors.Is(err, ErrAbsent) {
		t.Errorf("Raise without groups = %v, want ErrAbsent", err)
	}
}
