package cgroup

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
)

// Slot is the group that all tasks of one slot run in, one after the other.
type Slot struct {
	tree     *Tree
	name     string
	resident openFile // read before each task
}

// Slot makes the group of a slot, or takes over the one that is there.
func (t *Tree) Slot(n int) (*Slot, error) {
	s := &Slot{tree: t, name: "slot-" + strconv.Itoa(n)}
	for _, d := range s.dirs() {
		if _, err := d.make(); err != nil {
			return nil, fmt.Errorf("make the cgroup of slot %d: %w", n, err)
		}
		t.Settings.learnGroup(d)
	}
	s.resident = newOpenFile(s.in(t.caps.Resident), t.caps.Resident.File)
	return s, nil
}

// in returns the slot's group in the hierarchy of a mechanism.
func (s *Slot) in(m Mechanism) dir { return s.tree.in(m).sub(s.name) }

func (s *Slot) dirs() []dir {
	dirs := make([]dir, 0, len(s.tree.mounts))
	for _, m := range s.tree.mounts {
		dirs = append(dirs, m.sub(Parent).sub(s.tree.name).sub(s.name))
	}
	return dirs
}

// Unified returns the slot's group in the v2 tree, into which tasks are cloned; "" if there is no v2 tree.
func (s *Slot) Unified() string {
	if u := s.tree.caps.unified(); u != "" {
		return string(u.sub(Parent).sub(s.tree.name).sub(s.name))
	}
	return ""
}

// ShimGroup returns the v2 group in which the slot's shim starts; "" if there is no v2 tree. If v2 provides
// the background class, it is the group outside that class (see OrdinaryParent), which has ordinary weight.
func (s *Slot) ShimGroup() string {
	if s.tree.caps.class().Version == 2 && s.tree.ordinary != "" {
		return string(s.tree.ordinary)
	}
	if u := s.tree.caps.unified(); u != "" {
		return string(u.sub(Parent).sub(s.tree.name).sub(shims))
	}
	return ""
}

// Joins returns the slot's groups in the v1 trees. The thread that forks a task joins them first, by
// writing "0" to the file tasks of each. A thread moves itself in 1.4 µs; moving another one costs
// milliseconds. The groups that all slots share come last: from a process in them one cannot tell its slot.
func (s *Slot) Joins() []string {
	var joins []string
	for _, d := range s.dirs() {
		if string(d) != s.Unified() {
			joins = append(joins, string(d))
		}
	}
	for _, m := range s.tree.shared {
		joins = append(joins, string(m.sub(Parent).sub(s.tree.name)))
	}
	return joins
}

// OOMFile returns the file whose line "oom_kill" counts kills for memory, or "".
func (s *Slot) OOMFile() string {
	if m := s.tree.caps.OOM; m.OK() {
		return string(s.in(m).sub(m.File))
	}
	return ""
}

// FreezesShim reports whether freezing the slot can also stop its shim: the v1 freezer stops every
// thread that forks into the slot. Under v1, a killed process also does not die while it is frozen.
func (s *Slot) FreezesShim() bool { return s.tree.caps.Freeze.Version == 1 }

// Freezer returns the v1 file that freezes the slot; "" if v2 freezes it, or the host cannot.
func (s *Slot) Freezer() string {
	if m := s.tree.caps.Freeze; m.Version == 1 {
		return string(s.in(m).sub(m.File))
	}
	return ""
}

// Limit bounds the memory in bytes and the number of processes and threads; 0 means no bound. The tasks
// get no swap beyond the memory limit: a task that swaps would slow the primary's disk. Whatever the host
// cannot limit stays unlimited.
func (s *Slot) Limit(memory int64, pids int) error {
	err := slotMemory{s}.limit(memory)
	if m := s.tree.caps.PIDs; m.OK() {
		err = errors.Join(err, s.tree.Settings.set(s.in(m), []string{"pids.max"}, func() error {
			return s.in(m).write("pids.max", orMax(int64(pids), "max"))
		}))
	}
	return err
}

// limit bounds the memory in bytes, 0 for no bound.
func (m slotMemory) limit(bytes int64) error {
	by := m.slot.tree.caps.Memory
	switch d := m.slot.in(by); by.Version {
	case 2:
		return m.slot.tree.Settings.set(d, []string{"memory.max", "memory.swap.max", "memory.oom.group"}, func() error {
			return limitMemoryV2(d, orMax(bytes, "max"))
		})
	case 1:
		return m.slot.tree.Settings.set(d, memoryFilesV1, func() error { return limitMemoryV1(d, orMax(bytes, "-1")) })
	}
	return nil
}

func limitMemoryV2(d dir, limit string) error {
	// One killed process fails the task, so the rest of it may go too.
	_ = d.write("memory.oom.group", "1")
	_ = d.write("memory.swap.max", "0") // missing where swap is not accounted
	return d.write("memory.max", limit)
}

// limitMemoryV1 sets the limits of memory and of memory+swap. The kernel demands that the first never
// exceeds the second. So it first lifts the limit of memory+swap, then sets that of memory, then that of both.
func limitMemoryV1(d dir, limit string) error {
	swap := d.has("memory.memsw.limit_in_bytes")
	if swap {
		if err := d.write("memory.memsw.limit_in_bytes", "-1"); err != nil {
			return err
		}
	}
	err := d.write("memory.limit_in_bytes", limit)
	if err == nil && swap {
		err = d.write("memory.memsw.limit_in_bytes", limit)
	}
	return err
}

func orMax(n int64, unlimited string) string {
	if n <= 0 {
		return unlimited
	}
	return strconv.FormatInt(n, 10)
}

// Pids lists the processes in the slot's groups, in ascending order. The slot's shim is among them where
// it is in a group that only accounts for its CPU time (see ShimJoins).
func (s *Slot) Pids() ([]int, error) {
	var all []int
	for _, d := range s.dirs() {
		pids, err := d.pids()
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("list processes: %w", err)
		}
		all = append(all, pids...)
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// Usage returns the CPU seconds that the slot's tasks have used, and their present memory in bytes,
// including the page cache. A value that the host does not account for is 0.
func (s *Slot) Usage() (cpuSeconds float64, memory int64, err error) {
	return s.tree.caps.usage(s.in)
}

// OOMKilled returns how many processes of the slot the kernel has killed for exceeding its memory
// limit, or 0 where the host has no count.
func (s *Slot) OOMKilled() (uint64, error) {
	if m := s.tree.caps.OOM; m.OK() {
		return s.in(m).key(m.File, "oom_kill")
	}
	return 0, nil
}

// usage reads the CPU seconds and bytes of a group; at returns its folder for a mechanism.
func (c Capabilities) usage(at func(Mechanism) dir) (cpuSeconds float64, memory int64, err error) {
	var units, bytes uint64
	switch c.CPUTime.Version {
	case 1:
		units, err = at(c.CPUTime).number("cpuacct.usage")
		cpuSeconds = float64(units) / 1e9
	case 2:
		units, err = at(c.CPUTime).key("cpu.stat", "usage_usec")
		cpuSeconds = float64(units) / 1e6
	}
	if err == nil && c.Resident.OK() {
		bytes, err = at(c.Resident).number(c.Resident.File)
	}
	return cpuSeconds, int64(bytes), err
}

// Remove removes the slot's empty groups.
func (s *Slot) Remove() (err error) {
	s.resident.close()
	for _, d := range s.dirs() {
		s.tree.Settings.forget(d)
		err = errors.Join(err, d.remove())
	}
	return err
}
