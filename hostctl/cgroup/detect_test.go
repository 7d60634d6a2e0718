package cgroup

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func detect(t *testing.T, h host) Capabilities {
	t.Helper()
	caps, err := Detect(h.build(t))
	mustDo(t, err)
	return caps
}

func TestDetect(t *testing.T) {
	old := v1Host()
	delete(old, "/sys/fs/cgroup/cpu/lull/cpu.idle") // before Linux 5.15
	for _, c := range []struct {
		name                                                 string
		host                                                 host
		idle, freeze, memory, cpuTime, oom, pressure, weight string
	}{
		{"v1", v1Host(), "cpu.idle (cgroup v1)", "freezer.state (cgroup v1)", "memory.limit_in_bytes (cgroup v1)",
			"cpuacct.usage (cgroup v1)", "memory.oom_control (cgroup v1)", "absent", "cpu.shares (cgroup v1)"},
		{"old v1", old, "absent", "freezer.state (cgroup v1)", "memory.limit_in_bytes (cgroup v1)",
			"cpuacct.usage (cgroup v1)", "memory.oom_control (cgroup v1)", "absent", "cpu.shares (cgroup v1)"},
		{"v2", v2Host(), "cpu.idle (cgroup v2)", "cgroup.freeze (cgroup v2)", "memory.max (cgroup v2)",
			"cpu.stat (cgroup v2)", "memory.events (cgroup v2)", "cpu.pressure (cgroup v2)", "cpu.weight (cgroup v2)"},
		{"hybrid", hybridHost(), "cpu.idle (cgroup v1)", "cgroup.freeze (cgroup v2)", "memory.limit_in_bytes (cgroup v1)",
			"cpu.stat (cgroup v2)", "memory.oom_control (cgroup v1)", "cpu.pressure (cgroup v2)", "cpu.shares (cgroup v1)"},
		{"none", noCgroups(), "absent", "absent", "absent", "absent", "absent", "absent", "absent"},
	} {
		caps := detect(t, c.host)
		got := []string{caps.Idle.String(), caps.Freeze.String(), caps.Memory.String(), caps.CPUTime.String(),
			caps.OOM.String(), caps.Pressure.String(), caps.Weight.String()}
		want := []string{c.idle, c.freeze, c.memory, c.cpuTime, c.oom, c.pressure, c.weight}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s:\ngot  %q\nwant %q", c.name, got, want)
		}
	}
}

func TestDetectWithoutProc(t *testing.T) {
	if _, err := Detect(t.TempDir()); err == nil || !strings.Contains(err.Error(), "is /proc mounted?") {
		t.Errorf("Detect(without /proc) = %v, want an error that asks for it", err)
	}
}

func TestDetectNotesUnusableHierarchy(t *testing.T) {
	h := noCgroups()
	h["proc/self/mountinfo"] += "33 32 0:30 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
	h["sys/fs/cgroup/cpu/lull"] = "a file where the group should be"
	caps := detect(t, h)
	if len(caps.Notes) != 1 || !strings.Contains(caps.Notes[0], "cannot be used") {
		t.Errorf("notes = %q, want one that says cannot be used", caps.Notes)
	}
}

// TestDetectNotesWhatIsAnotherUsers runs Detect as a user that may only read the groups that root
// made. One line names all of them.
func TestDetectNotesWhatIsAnotherUsers(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, to take on another user")
	}
	root := hybridHost().build(t)
	mustDo(t, os.Chmod(filepath.Dir(root), 0o755)) // else it cannot even look
	mustDo(t, os.Chmod(root, 0o755))
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlock: the thread ends with its user
		_, _ = unix.SetfsuidRetUid(65534)
		caps, err := Detect(root)
		if err != nil || len(caps.mounts()) != 0 || len(caps.Notes) != 1 {
			t.Errorf("in use %v, notes %q, %v, want none and one note", caps.mounts(), caps.Notes, err)
			return
		}
		for _, part := range []string{"cgroups that this user (uid ", ") may not use: ", "/sys/fs/cgroup/cpu", "/sys/fs/cgroup/unified"} {
			if !strings.Contains(caps.Notes[0], part) {
				t.Errorf("note = %q, want %q in it", caps.Notes[0], part)
			}
		}
	}()
	<-done
}

func TestReport(t *testing.T) {
	for _, c := range []struct {
		host host
		says []string
	}{
		{v2Host(), []string{"idle class     yes  cpu.idle (cgroup v2)", "protection     yes  strong", "host pressure  yes  /proc/pressure", "kill           yes  frozen by cgroup.freeze"}},
		{noCgroups(), []string{"idle class     no   absent: SCHED_IDLE", "kill           no   absent", "memory limit   no   absent: a task that fills memory", "Better protection: run the agent as root"}},
	} {
		report := detect(t, c.host).String()
		for _, line := range c.says {
			if !strings.Contains(report, line) {
				t.Errorf("report =\n%s\nwant the line %q", report, line)
			}
		}
	}
	auto := noCgroups()
	auto["proc/sys/kernel/sched_autogroup_enabled"] = "1\n"
	if l := detect(t, auto).Lines()[0]; l.Present || !strings.Contains(l.Text, "autogroup nice 19") {
		t.Errorf("line with autogroups = %+v, want autogroup nice 19", l)
	}
	if report := detect(t, auto).String(); !strings.Contains(report, "protection     no   weak: one session") || !strings.Contains(report, "sched_autogroup_enabled=0") {
		t.Errorf("report with autogroups =\n%s\nwant weak protection with advice", report)
	}
}

// The advice "run as root" must not reach a user who is root already.
func TestReportOfCgroupsMountedReadOnly(t *testing.T) {
	c := Capabilities{Notes: []string{"cgroup v2 at /sys/fs/cgroup cannot be used: mkdir /sys/fs/cgroup/lull: read-only file system"}}
	if report := c.String(); !strings.Contains(report, "mounted read-only") || strings.Contains(report, "as root") {
		t.Error(report)
	}
}

func TestMountsAreUnescapedAndCountedOnce(t *testing.T) {
	mounts, err := parseMounts(strings.NewReader(`
33 32 0:30 / /sys/fs/c\040g/cpu rw,relatime shared:9 master:2 - cgroup cgroup rw,cpu
99 32 0:30 /x /elsewhere rw - cgroup cgroup rw,cpu
35 24 0:31 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
23 1 0:21 / /proc rw - proc proc rw
short - cgroup
no separator
`))
	mustDo(t, err)
	want := []mount{{"/sys/fs/c g/cpu", 1}, {"/sys/fs/cgroup/unified", 2}}
	if len(mounts) != 2 || mounts[0] != want[0] || mounts[1] != want[1] {
		t.Errorf("mounts = %v, want %v", mounts, want)
	}
}

func TestSystemPressure(t *testing.T) {
	stall, err := detect(t, v2Host()).SystemPressure("cpu")
	if err != nil || stall.Some != (Pressure{0.1, 0.2, 0.3, 99}) || stall.Full != (Pressure{}) {
		t.Errorf("SystemPressure(cpu) = %+v, %v, want some of 0.1 0.2 0.3 99", stall, err)
	}
	if _, err := detect(t, noCgroups()).SystemPressure("cpu"); err == nil {
		t.Error("SystemPressure(cpu) without its file = nil error, want an error")
	}
}

func FuzzParsers(f *testing.F) {
	for _, text := range []string{"some avg10=1 total=2\n", "oom_kill 3\n", "12\n13\n", "1 2 3:4 / /x rw - cgroup cgroup rw", "some avg10=\n", "\x00"} {
		f.Add(text)
	}
	f.Fuzz(func(_ *testing.T, text string) { // nothing may panic
		_, _ = parseStall(strings.NewReader(text))
		_, _ = parseKeyed(strings.NewReader(text), "oom_kill")
		_, _ = parsePIDs(strings.NewReader(text))
		_, _ = parseMounts(strings.NewReader(text))
		_, _ = parseNumber(strings.NewReader(text))
	})
}
