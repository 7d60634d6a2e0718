package shim

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// A session of a task's own would start at nice 0, and would share the CPU with the primary's
// session as an equal, whatever the class of its processes.
func TestTasksStayInTheNiceSession(t *testing.T) {
	if b, err := os.ReadFile("/proc/self/autogroup"); err != nil || len(b) == 0 {
		t.Skip("needs autogroups")
	}
	eachContainment(t, func(t *testing.T, cfg Config) {
		cfg.Background = true
		c := launch(t, cfg)
		task := shell(cfg, 1, `
cat /proc/self/autogroup
setsid -w cat /proc/self/autogroup
setsid -w sh -c "setsid -w cat /proc/self/autogroup; cut -d' ' -f41 /proc/self/stat"`)
		if e := run(t, c, task); e.Status != 0 {
			t.Errorf("end = %+v: %s, want status 0", e, read(t, cfg.Dir, "stderr"))
		}
		lines := strings.Split(strings.TrimSpace(read(t, cfg.Dir, "stdout")), "\n")
		if len(lines) != 4 || lines[3] != "5" {
			t.Fatalf("sessions = %q, want three and SCHED_IDLE (5)", lines)
		}
		for _, line := range lines[:3] {
			if line != lines[0] || !strings.HasSuffix(line, " nice 19") {
				t.Errorf("a process is in %q, want the one session at nice 19: %q", line, lines)
			}
		}
	})
}

// Where a cgroup protects the primary, sessions are the task's own business.
func TestTasksMayOpenSessionsInTheIdleClass(t *testing.T) {
	cfg := testConfig(t)
	c := launch(t, cfg)
	run(t, c, shell(cfg, 1, `cut -d' ' -f6 /proc/self/stat; setsid -w cut -d' ' -f6 /proc/self/stat`))
	if both := strings.Fields(read(t, cfg.Dir, "stdout")); len(both) != 2 || both[0] == both[1] {
		t.Errorf("sessions %q, want two", both)
	}
}

// What left the task's process group is found by the session, if its shim died.
func TestLeftoverIsFoundBySession(t *testing.T) {
	cfg := testConfig(t)
	cfg.Background = true
	c := launch(t, cfg)
	task := shell(cfg, 1, `set -m; sh -c 'echo $$ > stray; exec sleep 1000' & echo $$ > main; exec sleep 1000`)
	if err := c.Start(task); err != nil {
		t.Fatal(err)
	}
	next[*Started](t, c)
	for _, name := range []string{"stray", "main"} {
		waitFor(t, name, func() bool { return strings.HasSuffix(string(must(os.ReadFile(cfg.Dir+"/"+name))), "\n") })
	}
	if err := unix.Kill(c.PID(), unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	hungUp(t, c)
	launch(t, cfg)
	for _, name := range []string{"main", "stray"} { // killed; they end once the machine has CPU for them
		waitFor(t, "the end of "+name, func() bool { return gone(t, cfg.Dir+"/"+name) })
	}
}
