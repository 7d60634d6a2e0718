package cgroup

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// restored lists the names of the files that Restore puts back.
func restored(t *testing.T, tree *Tree) (files []string) {
	t.Helper()
	for _, f := range tree.Settings.Restore() {
		if f.Refused != nil {
			t.Errorf("Restore() of %s: %v", f.File, f.Refused)
		}
		files = append(files, filepath.Base(f.File))
	}
	return files
}

// lullsOwn changes everything that an agent changes, some of it to values that the kernel rounds.
func lullsOwn(t *testing.T, tree *Tree, s *Slot) {
	t.Helper()
	mustDo(t, errors.Join(
		s.Limit(50_000_001, 77), Weigh(s, 0.0001), ifPresent(s.SetCap(0.7)), ifPresent(tree.SetCores(1)),
		ifPresent(tree.SetMemoryHigh(70_000_001)), tree.Raise(true), tree.Raise(false), ifPresent(tree.Reclaim(1)),
	))
	s.Leftover(1 << 20)
}

func TestRestoreOnKernel(t *testing.T) {
	onEach(t, func(t *testing.T, tree *Tree, slot *Slot) {
		lullsOwn(t, tree, slot)
		if files := restored(t, tree); len(files) > 0 {
			t.Errorf("Restore() after lull's own changes put back %q, want nothing", files)
		}
		caps := tree.caps
		for _, c := range []struct {
			group       dir
			by          Mechanism
			file, value string
		}{
			{slot.in(caps.Weight), caps.Weight, caps.Weight.File, "9000"},
			{slot.in(caps.Idle), caps.Idle, caps.Idle.File, "1"},
			{tree.in(caps.Weight), caps.Weight, caps.Weight.File, "7"},
			{tree.in(caps.Cap), caps.Cap, caps.Cap.File, "90000"},
			{slot.in(caps.Cap), caps.Cap, caps.Cap.File, "1000"},
			{slot.in(caps.Memory), caps.Memory, caps.Memory.File, "8192"},
			{tree.in(caps.Memory), caps.Memory, caps.Memory.File, "1073741824"},
			{slot.in(caps.PIDs), caps.PIDs, caps.PIDs.File, "max"},
			{tree.in(caps.Cores), caps.Cores, caps.Cores.File, "0"},
		} {
			if !c.by.OK() {
				continue
			}
			before, err := readWord(c.group, c.file)
			mustDo(t, err)
			mustDo(t, c.group.write(c.file, c.value))
			if files := restored(t, tree); !slices.Contains(files, c.file) {
				t.Errorf("Restore() after %s was written to %s = %q, want it put back", c.value, c.group.sub(c.file), files)
			}
			if after, err := readWord(c.group, c.file); after != before || err != nil {
				t.Errorf("%s = %s, %v, want %s", c.group.sub(c.file), after, err, before)
			}
		}
		if files := restored(t, tree); len(files) > 0 {
			t.Errorf("second Restore() put back %q, want nothing", files)
		}
	})
}

// A memory limit can only be put back together with the limit of memory and swap, whichever was changed.
func TestRestoreOfBothMemoryLimitsOnKernel(t *testing.T) {
	tree := kernelTree(t, v1Only)
	slot, err := tree.Slot(0)
	mustDo(t, err)
	needs(t, tree.caps.Memory)
	group := slot.in(tree.caps.Memory)
	if !group.has("memory.memsw.limit_in_bytes") {
		t.Skip("needs an account of swap")
	}
	mustDo(t, slot.Limit(64<<20, 0))
	for _, limit := range []string{"16777216", "-1", "268435456"} {
		mustDo(t, limitMemoryV1(group, limit))
		if files := restored(t, tree); !slices.Contains(files, "memory.limit_in_bytes") {
			t.Errorf("Restore() of limits of %s put back %q, want memory.limit_in_bytes", limit, files)
		}
		for _, file := range memoryFilesV1 {
			if n, err := group.number(file); n != 64<<20 || err != nil {
				t.Errorf("%s = %d, %v, want %d", file, n, err, 64<<20)
			}
		}
	}
}

func TestRestoreSkipsGroupsThatAreGone(t *testing.T) {
	tree := kernelTree(t, nil)
	slot, err := tree.Slot(0)
	mustDo(t, err)
	mustDo(t, errors.Join(slot.Limit(1<<20, 5), Weigh(slot, 2)))
	for _, d := range slot.dirs() {
		mustDo(t, d.remove())
	}
	if files := restored(t, tree); len(files) > 0 {
		t.Errorf("Restore() without the slot's groups put back %q, want nothing", files)
	}
	_, err = slot.Recreate()
	mustDo(t, err)
	if files := restored(t, tree); len(files) > 0 {
		t.Errorf("Restore() after lull made the groups anew put back %q, want nothing", files)
	}
}

// A group that another program made anew has none of lull's values.
func TestRestoreOfAGroupMadeAnew(t *testing.T) {
	tree := kernelTree(t, nil)
	slot, err := tree.Slot(0)
	mustDo(t, err)
	needs(t, tree.caps.PIDs)
	mustDo(t, slot.Limit(0, 5))
	d := slot.in(tree.caps.PIDs)
	mustDo(t, d.remove())
	_, err = d.make()
	mustDo(t, err)
	if files := restored(t, tree); !slices.Contains(files, "pids.max") {
		t.Errorf("Restore() of an empty group = %q, want pids.max", files)
	}
}

// What the kernel refuses is told once, however often it is tried.
func TestRestoreTellsOnceWhatIsRefused(t *testing.T) {
	tree := kernelTree(t, v1Only)
	slot, err := tree.Slot(0)
	mustDo(t, err)
	needs(t, tree.caps.Cap)
	agent := tree.in(tree.caps.Cap)
	tree.Settings.forget(agent) // it stays as the other program sets it
	mustDo(t, slot.SetCap(0.5))
	mustDo(t, slot.in(tree.caps.Cap).write("cpu.cfs_quota_us", "1000"))
	mustDo(t, agent.write("cpu.cfs_quota_us", "10000")) // of 100000: the slot may have no more
	first, second := tree.Settings.Restore(), tree.Settings.Restore()
	if len(first) != 1 || first[0].Refused == nil || first[0].Found != "1000" || len(second) != 0 {
		t.Errorf("Restore() of what is refused = %+v, then %+v, want one, refused, then none", first, second)
	}
	mustDo(t, agent.write("cpu.cfs_quota_us", "-1"))
	if third := tree.Settings.Restore(); len(third) != 1 || third[0].Refused != nil || third[0].Restored != "10000" {
		t.Errorf("Restore() when the kernel takes it = %+v, want 10000", third)
	}
}

// Another program takes a controller from the groups of the slots: with it their files are gone.
func TestRestoreOfControllers(t *testing.T) {
	tree, slot, file := opened(t, v2Host())
	mustDo(t, slot.Limit(1<<20, 7))
	group := tree.in(tree.caps.PIDs)
	mustDo(t, group.write("cgroup.subtree_control", "cpu"))
	if files := restored(t, tree); !slices.Contains(files, "cgroup.subtree_control") || !strings.Contains(file("lull/a/cgroup.subtree_control"), "+") {
		t.Errorf("Restore() = %q, want cgroup.subtree_control with lull's controllers", files)
	}
}

func TestRestoreOnV2(t *testing.T) {
	tree, slot, file := opened(t, v2Host())
	lullsOwn(t, tree, slot)
	if files := restored(t, tree); len(files) > 0 {
		t.Errorf("Restore() after lull's own changes put back %q, want nothing", files)
	}
	want := map[string]string{
		"lull/a/slot-0/cpu.weight": file("lull/a/slot-0/cpu.weight"), "lull/a/slot-0/memory.max": "50000001", "lull/a/slot-0/memory.oom.group": "1",
		"lull/a/slot-0/cpu.max": "14000 20000", "lull/a/memory.high": "70000001", "lull/a/cpuset.cpus": "8", "lull/a/cpu.max": "max 100000",
		"lull/a/slot-0/cpuset.cpus": "", "lull/a/slot-0/cpu.idle": "0",
	}
	for path := range want {
		mustDo(t, dir(tree.caps.Root).sub("sys/fs/cgroup").sub(filepath.Dir(path)).write(filepath.Base(path), "3"))
	}
	if files := restored(t, tree); len(files) != len(want)-1 {
		t.Errorf("Restore() put back %q, want all %d that were changed, memory.oom.group with memory.max", files, len(want))
	}
	for path, value := range want {
		if got := file(path); got != value {
			t.Errorf("%s = %q, want %q", path, got, value)
		}
	}
}

// Beside a change of lull's own, Restore neither waits nor puts back.
func TestRestoreLeavesWhatLullIsWriting(t *testing.T) {
	tree, slot, _ := opened(t, v1Host())
	mustDo(t, tree.Settings.set(slot.in(tree.caps.Weight), []string{"cpu.shares"}, func() error {
		mustDo(t, slot.in(tree.caps.Weight).write("cpu.shares", "5"))
		if files := restored(t, tree); len(files) > 0 {
			t.Errorf("Restore() amid a change = %q, want nothing", files)
		}
		return nil
	}))
}

// The memory that a slot's last task left is taken back by a low limit, which must not stay.
func TestReclaimOfLeftoversKeepsTheLimit(t *testing.T) {
	_, slot, file := opened(t, v1Host())
	mustDo(t, slot.Limit(1<<20, 0))
	slotMemory{slot}.reclaim(1<<19, 1<<19)
	if got := file("memory/lull/a/slot-0/memory.limit_in_bytes"); got != "1048576" {
		t.Errorf("limit after a reclaim = %s, want 1048576 as before", got)
	}
}

func BenchmarkRestore(b *testing.B) {
	caps, err := Detect("/")
	if err != nil || !caps.Weight.OK() {
		b.Skip("needs cgroups: ", err)
	}
	tree, err := Open(caps, "bench-restore")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = tree.Remove(b.Context()) })
	for n := range 16 {
		if _, err := tree.Slot(n); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if found := tree.Settings.Restore(); len(found) > 0 {
			b.Fatal(found)
		}
	}
	b.ReportMetric(float64(len(tree.Settings.list())), "files")
}
