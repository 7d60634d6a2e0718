package cgroup

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// opened opens agent "a" and its slot 0 on a host of files.
func opened(t *testing.T, h host) (*Tree, *Slot, func(path string) string) {
	t.Helper()
	root := h.build(t)
	caps, err := Detect(root)
	mustDo(t, err)
	tree, err := Open(caps, "a")
	mustDo(t, err)
	slot, err := tree.Slot(0)
	mustDo(t, err)
	return tree, slot, func(path string) string {
		b, err := os.ReadFile(filepath.Join(root, "sys/fs/cgroup", path))
		if err != nil {
			t.Error(err)
		}
		return string(b)
	}
}

func TestOpenYields(t *testing.T) {
	_, _, file := opened(t, v1Host())
	if got := file("cpu/lull/cpu.idle") + file("cpu/lull/a/cpu.idle"); got != "10" {
		t.Errorf("cpu.idle of lull and of the agent: %q, want only the first to be set", got)
	}
	old := v1Host()
	delete(old, "/sys/fs/cgroup/cpu/lull/cpu.idle")
	if _, _, file := opened(t, old); file("cpu/lull/cpu.shares") != "2" {
		t.Errorf("without idle class: cpu.shares %q, want the least", file("cpu/lull/cpu.shares"))
	}
	_, _, file = opened(t, v2Host())
	if got := file("lull/cpu.idle") + file("lull/a/cgroup.subtree_control"); got != "1+pids" {
		t.Errorf("v2: %q, want cpu.idle set and controllers handed down", got)
	}
}

func TestOpenRefusesNamesThatArePaths(t *testing.T) {
	for _, name := range []string{"", "..", "a/b", ".hidden"} {
		if _, err := Open(Capabilities{}, name); err == nil {
			t.Errorf("Open(%q) = nil error, want an error", name)
		}
	}
}

func TestWithoutCgroupsNothingIsInTheWay(t *testing.T) {
	tree, slot, _ := opened(t, noCgroups())
	mustDo(t, slot.Limit(1<<20, 10))
	mustDo(t, slot.Kill(t.Context()))
	if pids, err := slot.Pids(); len(pids) > 0 || err != nil {
		t.Errorf("Pids() = %v, %v, want none", pids, err)
	}
	if err := slot.Freeze(t.Context()); !errors.Is(err, ErrAbsent) {
		t.Errorf("freeze: %v, want ErrAbsent", err)
	}
	_, throttled := slot.Throttled()
	for i, err := range []error{
		slot.SetCap(1), throttled, tree.SetIdle(false), tree.SetCores(1), tree.SetMemoryHigh(1), tree.Reclaim(1),
		tree.Disk("/"), tree.SetDisk(1),
	} {
		if !errors.Is(err, ErrAbsent) {
			t.Errorf("bound %d: %v, want ErrAbsent", i, err)
		}
	}
	if slot.Unified() != "" || len(slot.Joins()) > 0 || slot.ShimGroup() != "" || slot.OOMFile() != "" {
		t.Errorf("groups without cgroups = %q, %v, %q, %q, want none", slot.Unified(), slot.Joins(), slot.ShimGroup(), slot.OOMFile())
	}
	mustDo(t, tree.Remove(t.Context()))
}

func TestWhereTasksGo(t *testing.T) {
	names := func(paths []string) (n []string) {
		for _, p := range paths {
			n = append(n, below(p))
		}
		return n
	}
	_, slot, _ := opened(t, hybridHost())
	want := []string{"cpu/lull/a/slot-0", "memory/lull/a/slot-0", "pids/lull/a/slot-0", "cpuset/lull/a", "blkio/lull/a"}
	if got := names(slot.Joins()); !slices.Equal(got, want) {
		t.Errorf("hybrid: joins %q, want %q: what the unified tree has is not needed twice", got, want)
	}
	if got := names([]string{slot.Unified(), slot.ShimGroup()}); !slices.Equal(got, []string{"unified/lull/a/slot-0", "unified/lull/a/shims"}) {
		t.Errorf("hybrid: groups = %q, want slot-0 and shims of unified", got)
	}
	if got := names(slot.ShimJoins()); !slices.Equal(got, []string{"cpu/lull-beside/a"}) {
		t.Errorf("hybrid: the shim joins %q, want ordinary weight", got)
	}
	_, slot, _ = opened(t, v2Host())
	if len(slot.Joins()) > 0 || slot.FreezesShim() {
		t.Errorf("v2: Joins() = %q, FreezesShim() = %v, want none, false", slot.Joins(), slot.FreezesShim())
	}
	if got := names([]string{slot.Unified(), slot.ShimGroup()}); !slices.Equal(got, []string{"lull/a/slot-0", "lull-beside/a"}) || len(slot.ShimJoins()) > 0 {
		t.Errorf("v2: groups = %q, ShimJoins() = %q, want slot-0 and lull-beside, none", got, slot.ShimJoins())
	}
	if _, slot, _ = opened(t, v1Host()); !slot.FreezesShim() || slot.Unified() != "" {
		t.Errorf("v1: FreezesShim() = %v, Unified() = %q, want true, none", slot.FreezesShim(), slot.Unified())
	}
}

func TestWhereTheAgentWorksBehindThePrimary(t *testing.T) {
	for name, c := range map[string]struct {
		host    host
		unified string
		joins   []string
	}{
		"v1": {v1Host(), "", []string{"cpu/lull/a", "cpuacct/lull/a"}}, "hybrid": {hybridHost(), "unified/lull/a/shims", []string{"cpu/lull/a"}},
		"v2": {v2Host(), "lull/a/shims", nil}, "none": {noCgroups(), "", nil},
	} {
		tree, _, _ := opened(t, c.host)
		g := tree.Background()
		var joins []string
		for _, path := range g.Joins {
			joins = append(joins, below(path))
		}
		if below(g.Unified) != c.unified || !slices.Equal(joins, c.joins) {
			t.Errorf("%s: %q and %q, want %q and %q", name, below(g.Unified), joins, c.unified, c.joins)
		}
	}
}

// below is a path below where cgroups are mounted.
func below(path string) string {
	_, after, _ := strings.Cut(path, "/sys/fs/cgroup/")
	return after
}

func TestLimits(t *testing.T) {
	_, slot, file := opened(t, v2Host())
	mustDo(t, slot.Limit(1<<20, 7))
	if got := file("lull/a/slot-0/memory.max") + " " + file("lull/a/slot-0/memory.swap.max") + " " + file("lull/a/slot-0/pids.max"); got != "1048576 0 7" {
		t.Errorf("v2: limits = %q, want 1048576 0 7", got)
	}
	mustDo(t, slot.Limit(0, 0))
	if got := file("lull/a/slot-0/memory.max") + file("lull/a/slot-0/pids.max"); got != "maxmax" {
		t.Errorf("v2 without limits = %q, want max twice", got)
	}
	_, slot, file = opened(t, v1Host())
	mustDo(t, slot.Limit(1<<20, 7))
	if got := file("memory/lull/a/slot-0/memory.limit_in_bytes") + " " + file("memory/lull/a/slot-0/memory.memsw.limit_in_bytes"); got != "1048576 1048576" {
		t.Errorf("v1: limits = %q, want 1048576 twice", got)
	}
}

func TestUsage(t *testing.T) {
	for _, c := range []struct {
		host   host
		cpu    float64
		memory int64
		oom    uint64
	}{{v1Host(), 2.5, 4096, 3}, {v2Host(), 1.5, 8192, 2}, {hybridHost(), 1.5, 4096, 3}, {noCgroups(), 0, 0, 0}} {
		tree, slot, _ := opened(t, c.host)
		for _, usage := range []func() (float64, int64, error){tree.Usage, slot.Usage} {
			if cpu, memory, err := usage(); cpu != c.cpu || memory != c.memory || err != nil {
				t.Errorf("%v s, %d bytes, %v; want %v s, %d bytes", cpu, memory, err, c.cpu, c.memory)
			}
		}
		if n, err := slot.OOMKilled(); n != c.oom || err != nil {
			t.Errorf("killed for memory: %d, %v; want %d", n, err, c.oom)
		}
	}
}

func TestPressureOfTasks(t *testing.T) {
	tree, _, _ := opened(t, hybridHost())
	stall, err := tree.Pressure("cpu")
	if err != nil || stall.Some != (Pressure{1.5, 0.25, 0, 42}) || stall.Full.Total != 7 {
		t.Errorf("Pressure(cpu) = %+v, %v, want some of 1.5 0.25 0 42 and full of 7", stall, err)
	}
	tree, _, _ = opened(t, v1Host())
	if _, err := tree.Pressure("cpu"); !errors.Is(err, ErrAbsent) {
		t.Errorf("v1: %v, want ErrAbsent", err)
	}
}

func TestSlotsOfAnEarlierAgent(t *testing.T) {
	tree, _, _ := opened(t, hybridHost())
	_, err := tree.Slot(12)
	mustDo(t, err)
	if got := tree.Slots(); !slices.Equal(got, []int{0, 12}) {
		t.Errorf("Slots() = %v, want [0 12]", got)
	}
}
