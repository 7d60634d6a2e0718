package cgroup

import "fmt"

// Gauges keeps the files open that a guard reads many times a second. Its values are those of Usage
// and Pressure. Only one goroutine may use it.
type Gauges struct {
	caps        Capabilities
	time, bytes openFile
	class       openFile             // of the parent
	own, all    map[string]*openFile // stalls by resource: of the agent's tasks, of the host
	available   openFile
	timeKey     string
	unit        float64
}

// Gauges opens nothing yet. Close what it returns.
func (t *Tree) Gauges() *Gauges {
	g := &Gauges{caps: t.caps, own: map[string]*openFile{}, all: map[string]*openFile{}}
	g.time, g.timeKey, g.unit = newOpenFile(t.parent(t.caps.CPUTime), "cpuacct.usage"), "", 1e-9
	if t.caps.CPUTime.Version == 2 {
		g.time, g.timeKey, g.unit = newOpenFile(t.parent(t.caps.CPUTime), "cpu.stat"), "usage_usec", 1e-6
	}
	g.bytes = newOpenFile(t.parent(t.caps.Resident), t.caps.Resident.File)
	g.class = newOpenFile(t.parent(t.caps.class()), t.caps.class().File)
	g.available = newOpenFile(dir(t.caps.path("proc")), "meminfo")
	for _, resource := range []string{"cpu", "memory", "io"} {
		own, all := newOpenFile(t.in(t.caps.Pressure), resource+".pressure"), newOpenFile(dir(t.caps.path("proc/pressure")), resource)
		g.own[resource], g.all[resource] = &own, &all
	}
	return g
}

// CPU returns the CPU seconds of all of lull's groups, or 0 where the host has no account of them.
func (g *Gauges) CPU() (seconds float64, err error) {
	if !g.caps.CPUTime.OK() {
		return 0, nil
	}
	units, err := g.time.number(g.timeKey)
	return float64(units) * g.unit, err
}

// Memory returns the bytes charged to all of lull's groups, or 0 where the host has no account of
// them.
func (g *Gauges) Memory() (bytes int64, err error) {
	if !g.caps.Resident.OK() {
		return 0, nil
	}
	n, err := g.bytes.number("")
	return int64(n), err
}

// Raised reports whether lull's groups are out of the idle class now, or have more than the smallest
// weight where there is no such class, whichever process raised them. It fails where there is neither.
func (g *Gauges) Raised() (bool, error) {
	class := g.caps.class()
	if !class.OK() {
		return false, fmt.Errorf("idle class: %w", ErrAbsent)
	}
	n, err := g.class.number("")
	if g.caps.Idle.OK() {
		return n == 0, err
	}
	return n > leastWeight(class.Version), err
}

// ClassFile is the path of the file that Raised reads.
func (g *Gauges) ClassFile() string { return g.class.path }

// Available is the bytes of memory that the host could still give.
func (g *Gauges) Available() (bytes int64, err error) {
	kB, err := g.available.number("MemAvailable:")
	if err != nil || kB > 1<<50 {
		return 0, err
	}
	return int64(kB) << 10, nil
}

// Stalled is the seconds in which some task of this agent stalled for "cpu",
// "memory" or "io". It fails where Capabilities.Pressure is absent.
func (g *Gauges) Stalled(resource string) (seconds float64, err error) {
	if !g.caps.Pressure.OK() {
		return 0, fmt.Errorf("pressure of %s: %w", resource, ErrAbsent)
	}
	us, err := g.own[resource].number("total=") // the line "some" is the first
	return float64(us) / 1e6, err
}

// HostStalled is Stalled of the whole host. It fails without Capabilities.System.
func (g *Gauges) HostStalled(resource string) (seconds float64, err error) {
	us, err := g.all[resource].number("total=")
	return float64(us) / 1e6, err
}

// Close closes the files.
func (g *Gauges) Close() {
	for _, h := range g.own {
		h.close()
	}
	for _, h := range g.all {
		h.close()
	}
	g.time.close()
	g.bytes.close()
	g.class.close()
	g.available.close()
}
