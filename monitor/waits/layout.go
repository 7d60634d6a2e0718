package waits

import (
	"fmt"
	"math"

	"github.com/cilium/ebpf/btf"
)

// layout has the offsets, in bytes, of the fields that the programs read in the running kernel's
// structures.
type layout struct {
	pid, process, flags, policy, onCPU, cpu, group int16 // of a task
	parent, cgroup, idle                           int16 // of a scheduler's group
	node, id                                       int16 // of a cgroup, and of its node
}

// readLayout asks the kernel's own description of its types.
func readLayout() (l layout, err error) {
	spec, err := btf.LoadKernelSpec()
	if err != nil {
		return l, fmt.Errorf("read the kernel's types (BTF): %w", err)
	}
	for _, field := range []struct {
		at   *int16
		of   string
		path []string
	}{
		{&l.pid, "task_struct", []string{"pid"}},
		{&l.process, "task_struct", []string{"tgid"}},
		{&l.flags, "task_struct", []string{"flags"}},
		{&l.policy, "task_struct", []string{"policy"}},
		{&l.onCPU, "task_struct", []string{"on_cpu"}},
		{&l.cpu, "task_struct", []string{"thread_info", "cpu"}},
		{&l.group, "task_struct", []string{"sched_task_group"}},
		{&l.parent, "task_group", []string{"parent"}},
		{&l.cgroup, "task_group", []string{"css", "cgroup"}},
		{&l.idle, "task_group", []string{"idle"}},
		{&l.node, "cgroup", []string{"kn"}},
		{&l.id, "kernfs_node", []string{"id"}},
	} {
		var outer *btf.Struct
		if err := spec.TypeByName(field.of, &outer); err != nil {
			return l, fmt.Errorf("the kernel's %s: %w", field.of, err)
		}
		if *field.at, err = offset(outer, field.path); err != nil {
			return l, err
		}
	}
	return l, nil
}

// offset is where a field of a field lies in a structure.
func offset(s *btf.Struct, path []string) (int16, error) {
	sum := uint32(0)
	for i, name := range path {
		m, ok := member(s.Members, name)
		if !ok || sum+m.Offset.Bytes() > math.MaxInt16 {
			return 0, fmt.Errorf("the kernel's %s has no %s where it can be read", s.Name, name)
		}
		sum += m.Offset.Bytes()
		if inner, ok := btf.UnderlyingType(m.Type).(*btf.Struct); ok {
			s = inner
		} else if i+1 < len(path) {
			return 0, fmt.Errorf("the kernel's %s of %s is no structure", name, s.Name)
		}
	}
	return int16(sum), nil
}

// member finds a field, also in the nameless structures that some kernels wrap
// the randomized part of a task in.
func member(members []btf.Member, name string) (btf.Member, bool) {
	for _, m := range members {
		if m.Name == name {
			return m, true
		}
		inner, ok := m.Type.(*btf.Struct)
		if m.Name != "" || !ok {
			continue
		}
		if found, ok := member(inner.Members, name); ok {
			found.Offset += m.Offset
			return found, true
		}
	}
	return btf.Member{}, false
}
