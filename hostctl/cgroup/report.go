package cgroup

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// Line is one capability for people: its mechanism, or what its absence costs.
type Line struct {
	Capability string
	Present    bool
	Text       string
}

// These texts say how weak a host is without a mechanism. The factors compare the p99 of an HTTP
// server beside batch work with the server alone, with about 1 ms of CPU a request, at 30–85 %
// load on two cores. Those of cpu.idle are the first table of docs/interference.md. They were
// ×2.9–7.8 with minimum weight, and ×1.6–8.9 with autogroup nice 19. SCHED_IDLE gave ×3 in
// the server's own session and ×970–2,700 in another.
const (
	withIdle      = "strong: beside CPU-bound batch work a server's p99 was 1.04 to 1.15 times that alone with lull as root, which moves the server's threads, and 1.7 to 5.4 times with the idle class alone (docs/interference.md has the command; --measure tries it here)"
	withWeight    = "fair: the primary's p99 grows ×3–8 beside CPU-bound batch work, ×21 beside some"
	withAutogroup = "weak: one session at autogroup nice 19, which tasks cannot leave (their setsid does nothing); the primary's p99 grows ×1.6–9"
	withNothing   = "weak: SCHED_IDLE among all others; the primary's p99 grows about ×3"
)

// remedy is what to do about the missing idle class.
const remedy = "Better protection: run the agent as root, or as a systemd unit with Delegate=yes, on a host with the cgroup CPU controller.\n"

// readOnlyRemedy is for an agent that is root and yet may not, as in most containers.
const readOnlyRemedy = "Better protection: cgroups are mounted read-only here; let the agent write to them (a container needs the host's /sys/fs/cgroup, writable).\n"

func (c Capabilities) readOnly() bool {
	return slices.ContainsFunc(c.Notes, func(note string) bool { return strings.HasSuffix(note, unix.EROFS.Error()) })
}

// autogroupRemedy is what else there is to do: SCHED_IDLE counts on the whole
// host, then, and not only within a session.
const autogroupRemedy = "Without that: sysctl kernel.sched_autogroup_enabled=0 keeps the primary's p99 near ×3 at every load.\n"

// Lines describes every capability, in a fixed order.
func (c Capabilities) Lines() []Line {
	lines := []Line{
		c.background(),
		c.protection(),
		line("core set", c.Cores, "absent: tasks cannot be limited to some of the cores"),
		line("cap", c.Cap, "absent: jobs are paced by stopping and continuing their tasks, which is coarser than a limit of CPU time"),
		line("freeze", c.Freeze, "absent: stop signals to process groups of tasks; a process that left its group runs on"),
		c.kill(),
		line("memory limit", c.Memory, "absent: a task that fills memory harms the whole host"),
		c.reclaim(),
		c.diskCap(),
		line("process limit", c.PIDs, "absent: RLIMIT_NPROC instead, which counts all processes of the tasks' user together and does not bind root"),
		line("CPU usage", c.CPUTime, "absent: that of all tasks together is counted from /proc, that of each when it ends"),
		line("memory usage", c.Resident, "absent: memory of tasks is known only when they end"),
		line("memory kills", c.OOM, "absent: a task killed for memory looks like any killed task"),
		line("task pressure", c.Pressure, "absent: how long tasks wait for resources is unknown"),
		{"host pressure", c.System, "absent: /proc/pressure is missing (boot with psi=1)"},
	}
	if c.System {
		lines[len(lines)-1].Text = "/proc/pressure"
	}
	return lines
}

func line(name string, m Mechanism, absence string) Line {
	if m.OK() {
		return Line{name, true, m.String()}
	}
	return Line{name, false, absence}
}

// background says what puts batch work behind the primary.
func (c Capabilities) background() Line {
	switch {
	case c.Idle.OK():
		return Line{"idle class", true, c.Idle.String()}
	case c.Weight.OK():
		return Line{"idle class", false, c.Weight.String() + " at its minimum and SCHED_IDLE instead"}
	case c.Autogroup:
		return Line{"idle class", false, "absent: SCHED_IDLE, idle I/O class and autogroup nice 19 instead"}
	}
	return Line{"idle class", false, "absent: SCHED_IDLE and idle I/O class instead"}
}

// protection says how strong that is.
func (c Capabilities) protection() Line {
	switch {
	case c.Idle.OK():
		return Line{"protection", true, withIdle}
	case c.Weight.OK():
		return Line{"protection", false, withWeight}
	case c.Autogroup:
		return Line{"protection", false, withAutogroup}
	}
	return Line{"protection", false, withNothing}
}

func (c Capabilities) reclaim() Line {
	l := line("reclaim", c.Reclaim, "absent: the page cache of tasks shrinks only when the whole host is short of memory; tasks are evicted sooner")
	if c.Reclaim.Version == 1 {
		l.Text += ", lowered briefly"
	}
	return l
}

func (c Capabilities) diskCap() Line {
	l := line("disk cap", c.DiskCap, "absent: only the idle I/O class keeps batch work off the primary's disk, and only with a scheduler that knows it (bfq)")
	if c.DiskCap.Version == 1 {
		l.Text += ": limits reads and direct writes, not writes through the page cache"
	}
	return l
}

func (c Capabilities) kill() Line {
	if c.Freeze.OK() {
		return Line{"kill", true, "frozen by " + c.Freeze.String() + ", then SIGKILL to each process until none is left"}
	}
	return Line{"kill", false, "absent: SIGKILL to all descendants; tasks of a shim that has died may survive"}
}

// String is the report for people: one capability a line, then the notes.
func (c Capabilities) String() string {
	var b strings.Builder
	for _, l := range c.Lines() {
		mark := "yes"
		if !l.Present {
			mark = "no "
		}
		fmt.Fprintf(&b, "%-14s %s  %s\n", l.Capability, mark, l.Text)
	}
	for _, note := range c.Notes {
		fmt.Fprintln(&b, note)
	}
	switch {
	case c.Idle.OK():
	case c.readOnly():
		b.WriteString(readOnlyRemedy)
	default:
		b.WriteString(remedy)
	}
	if !c.Idle.OK() && !c.Weight.OK() && c.Autogroup {
		b.WriteString(autogroupRemedy)
	}
	return b.String()
}
