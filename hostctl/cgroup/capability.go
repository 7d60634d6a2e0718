package cgroup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// ErrAbsent says that this host has no mechanism for what was asked.
var ErrAbsent = errors.New("this host has no mechanism for it (see lull doctor)")

// Parent is the cgroup that all agents of a host share, in each hierarchy.
const Parent = "lull"

// Mechanism is how a capability is had: a control file of one hierarchy. The
// zero Mechanism is an absent capability.
type Mechanism struct {
	Version int    // of cgroups: 1 or 2
	Mount   string // where the hierarchy is mounted, below the root given to Detect
	File    string
}

// OK reports whether the capability is there.
func (m Mechanism) OK() bool { return m.File != "" }

func (m Mechanism) String() string {
	if !m.OK() {
		return "absent"
	}
	return fmt.Sprintf("%s (cgroup v%d)", m.File, m.Version)
}

// Capabilities are what a host's kernel lets us do with a group of processes,
// each found by itself.
type Capabilities struct {
	Root string // prefix of every path, "/" in production

	Idle     Mechanism // the group runs only when nobody else wants the CPU
	Weight   Mechanism // a small share against others
	Quota    Mechanism // a cap in CPU time a period
	Freeze   Mechanism // stop and go on, the whole group at once
	Memory   Mechanism // a limit in bytes
	PIDs     Mechanism // a limit of processes and threads
	Pressure Mechanism // stall information of the group
	CPUTime  Mechanism // CPU seconds used
	Resident Mechanism // bytes used
	OOM      Mechanism // how many were killed for memory

	System    bool // /proc/pressure: stall information of the host
	Autogroup bool // the kernel shares CPU between sessions first
	// Notes say why a hierarchy that is mounted could not be used.
	Notes []string
}

// choice is one file that carries a capability in one version.
type choice struct {
	version int
	file    string
}

// want ties a capability to the files that carry it, the best one first.
type want struct {
	into    func(*Capabilities) *Mechanism
	choices []choice
}

// On hybrid hosts v2 comes first, above all for freezing: what lies in the
// unified tree is the task alone, while the v1 groups hold its shim too.
var wants = []want{
	{func(c *Capabilities) *Mechanism { return &c.Idle }, []choice{{2, "cpu.idle"}, {1, "cpu.idle"}}},
	{func(c *Capabilities) *Mechanism { return &c.Weight }, []choice{{2, "cpu.weight"}, {1, "cpu.shares"}}},
	{func(c *Capabilities) *Mechanism { return &c.Quota }, []choice{{2, "cpu.max"}, {1, "cpu.cfs_quota_us"}}},
	{func(c *Capabilities) *Mechanism { return &c.Freeze }, []choice{{2, "cgroup.freeze"}, {1, "freezer.state"}}},
	{func(c *Capabilities) *Mechanism { return &c.Memory }, []choice{{2, "memory.max"}, {1, "memory.limit_in_bytes"}}},
	{func(c *Capabilities) *Mechanism { return &c.PIDs }, []choice{{2, "pids.max"}, {1, "pids.max"}}},
	{func(c *Capabilities) *Mechanism { return &c.Pressure }, []choice{{2, "cpu.pressure"}}},
	{func(c *Capabilities) *Mechanism { return &c.CPUTime }, []choice{{2, "cpu.stat"}, {1, "cpuacct.usage"}}},
	{func(c *Capabilities) *Mechanism { return &c.Resident }, []choice{{2, "memory.current"}, {1, "memory.usage_in_bytes"}}},
	{func(c *Capabilities) *Mechanism { return &c.OOM }, []choice{{2, "memory.events"}, {1, "memory.oom_control"}}},
}

// Detect finds what the host below root can do. It reads
// <root>/proc/self/mountinfo and looks into the group "lull" of each hierarchy,
// which it makes and removes again if it is not there: several files exist in
// no root group. A host without usable cgroups is no error; see Notes.
func Detect(root string) (Capabilities, error) {
	c := Capabilities{Root: root}
	mounts, err := readFile(dir(c.path("proc/self")), "mountinfo", parseMounts)
	if err != nil {
		return c, fmt.Errorf("find cgroups: %w (is /proc mounted?)", err)
	}
	for _, m := range mounts {
		m.point = c.path(m.point)
		c.probe(m)
	}
	c.System = dir(c.path("proc/pressure")).has("cpu")
	on, _ := os.ReadFile(c.path("proc/sys/kernel/sched_autogroup_enabled"))
	c.Autogroup = strings.TrimSpace(string(on)) == "1"
	return c, nil
}

// path places a host's path below the root.
func (c Capabilities) path(p string) string { return filepath.Join(c.Root, p) }

// probe takes from one hierarchy what it has.
func (c *Capabilities) probe(m mount) {
	parent := dir(m.point).sub(Parent)
	if m.version == 2 {
		delegate(dir(m.point))
	}
	created, err := parent.make()
	if err == nil && !created {
		err = parent.welcomes()
	}
	if err != nil {
		c.Notes = append(c.Notes, fmt.Sprintf("cgroup v%d at %s is not ours to use: %v", m.version, m.point, err))
		return
	}
	for _, w := range wants {
		w.take(c, m, parent)
	}
	if created {
		_ = parent.remove() // not empty: an agent has moved in meanwhile
	}
}

// take sets the capability if this hierarchy has it, and better than before.
func (w want) take(c *Capabilities, m mount, parent dir) {
	into := w.into(c)
	for _, choice := range w.choices {
		if into.OK() && into.Version == choice.version {
			return
		}
		if choice.version == m.version && parent.has(choice.file) {
			*into = Mechanism{Version: m.version, Mount: m.point, File: choice.file}
			return
		}
	}
}

// delegate hands the controllers we use to the groups below a v2 group. Each
// is asked for alone, because one that v1 holds would refuse the rest; what
// is refused shows as a file that is missing.
func delegate(d dir) {
	for _, controller := range []string{"cpu", "memory", "pids"} {
		_ = d.write("cgroup.subtree_control", "+"+controller)
	}
}
