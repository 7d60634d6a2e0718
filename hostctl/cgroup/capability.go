package cgroup

import (
	"errors"
	"fmt"
)

// ErrAbsent says that this host has no mechanism for what was asked.
var ErrAbsent = errors.New("this host has no mechanism for it (see lull doctor)")

// Parent is the cgroup that all agents of a host share, in each hierarchy.
const Parent = "lull"

// Mechanism is how a capability is had: a control file of one hierarchy. The
// zero Mechanism is an absent capability.
type Mechanism struct {
	Version int    `json:"version"` // of cgroups: 1 or 2
	Mount   string `json:"mount"`   // where the hierarchy is mounted, below the root given to Detect
	File    string `json:"file"`
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
	Root string `json:"root"` // prefix of every path, "/" in production
	CPUs int    `json:"cpus"` // cores that are online

	Idle     Mechanism `json:"idle"`     // the group runs only when nothing else wants the CPU
	Weight   Mechanism `json:"weight"`   // a small share against others
	Cap      Mechanism `json:"cap"`      // a bound of the CPU time in each period
	Cores    Mechanism `json:"cores"`    // the set of cores that may be used
	Freeze   Mechanism `json:"freeze"`   // stop and go on, the whole group at once
	Memory   Mechanism `json:"memory"`   // a limit in bytes
	Reclaim  Mechanism `json:"reclaim"`  // page cache given back on demand
	DiskCap  Mechanism `json:"disk_cap"` // a bound of the bytes a second read from and written to a disk
	PIDs     Mechanism `json:"pids"`     // a limit of processes and threads
	Pressure Mechanism `json:"pressure"` // stall information of the group
	CPUTime  Mechanism `json:"cpu_time"` // CPU seconds used
	Resident Mechanism `json:"resident"` // bytes used
	OOM      Mechanism `json:"oom"`      // how many were killed for memory

	System    bool `json:"system"`    // /proc/pressure: stall information of the host
	Autogroup bool `json:"autogroup"` // the kernel shares CPU between sessions first
	// Notes say why a hierarchy that is mounted could not be used.
	Notes []string `json:"notes,omitempty"`
}

// choice is one file that carries a capability in one version.
type choice struct {
	version int
	file    string
}

// detector ties a capability to the files that carry it, the best one first.
type detector struct {
	into    func(*Capabilities) *Mechanism
	choices []choice
	// shared says that in v1 all tasks of an agent lie in one group: there a
	// disk's bound counts for each group alone, never for a sum (blk-throttle is
	// flat but on v2), and a cpuset cannot shrink below those inside.
	shared bool
}

// On hybrid hosts v2 comes first, above all for freezing: what lies in the
// unified tree is the task alone, while the v1 groups hold its shim too.
var detectors = []detector{
	{func(c *Capabilities) *Mechanism { return &c.Idle }, []choice{{2, "cpu.idle"}, {1, "cpu.idle"}}, false},
	{func(c *Capabilities) *Mechanism { return &c.Weight }, []choice{{2, "cpu.weight"}, {1, "cpu.shares"}}, false},
	{func(c *Capabilities) *Mechanism { return &c.Cap }, []choice{{2, "cpu.max"}, {1, "cpu.cfs_quota_us"}}, false},
	{func(c *Capabilities) *Mechanism { return &c.Cores }, []choice{{2, "cpuset.cpus"}, {1, "cpuset.cpus"}}, true},
	{func(c *Capabilities) *Mechanism { return &c.Freeze }, []choice{{2, "cgroup.freeze"}, {1, "freezer.state"}}, false},
	{func(c *Capabilities) *Mechanism { return &c.Memory }, []choice{{2, "memory.max"}, {1, "memory.limit_in_bytes"}}, false},
	{func(c *Capabilities) *Mechanism { return &c.Reclaim }, []choice{{2, "memory.reclaim"}, {1, "memory.limit_in_bytes"}}, false},
	{func(c *Capabilities) *Mechanism { return &c.DiskCap }, []choice{{2, "io.max"}, {1, "blkio.throttle.write_bps_device"}}, true},
	{func(c *Capabilities) *Mechanism { return &c.PIDs }, []choice{{2, "pids.max"}, {1, "pids.max"}}, false},
	{func(c *Capabilities) *Mechanism { return &c.Pressure }, []choice{{2, "cpu.pressure"}}, false},
	{func(c *Capabilities) *Mechanism { return &c.CPUTime }, []choice{{2, "cpu.stat"}, {1, "cpuacct.usage"}}, false},
	{func(c *Capabilities) *Mechanism { return &c.Resident }, []choice{{2, "memory.current"}, {1, "memory.usage_in_bytes"}}, false},
	{func(c *Capabilities) *Mechanism { return &c.OOM }, []choice{{2, "memory.events"}, {1, "memory.oom_control"}}, false},
}
