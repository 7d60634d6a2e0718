package shim

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"lull/subjects"
)

// eachContainment runs a test without cgroups, with all that this host has, and
// with v1 alone.
func eachContainment(t *testing.T, test func(t *testing.T, cfg Config)) {
	t.Run("plain", func(t *testing.T) { test(t, testConfig(t)) })
	t.Run("cgroup", func(t *testing.T) {
		cfg := testConfig(t)
		cfg.Slot = testSlot(t, testTree(t), 0)
		test(t, cfg)
	})
	t.Run("v1", func(t *testing.T) {
		cfg := testConfig(t)
		cfg.Slot = testSlot(t, testTreeWith(t, v1Only), 0)
		test(t, cfg)
	})
}

// gone reports whether the process that wrote its number to a file has ended.
func gone(t *testing.T, path string) bool {
	t.Helper()
	pid, err := strconv.Atoi(strings.TrimSpace(read(t, path)))
	if err != nil {
		t.Fatal(err)
	}
	return startTime(pid) == ""
}

func TestTimeoutReachesTaskThatIgnoresTERM(t *testing.T) {
	eachContainment(t, func(t *testing.T, cfg Config) {
		c := launch(t, cfg)
		var e *Exited
		for limit := 50 * time.Millisecond; limit < patience; limit *= 2 {
			task := shell(cfg, uint64(limit), `trap "" TERM; echo $$; while :; do sleep 0.01; done`)
			task.Timeout, task.Grace = limit, 50*time.Millisecond
			if e = run(t, c, task); e.Status != -15 { // it had no CPU to ignore it with
				break
			}
		}
		if e.Status != -9 || e.Reason != subjects.ReasonTimeout || e.Seconds < 0.1 || !strings.Contains(e.Text, "timeout of") {
			t.Errorf("end = %+v, want SIGKILL for its timeout after 0.1 s", e)
		}
	})
}

func TestTimeoutLetsTaskEndInGrace(t *testing.T) {
	cfg := testConfig(t)
	c := launch(t, cfg)
	task := shell(cfg, 1, `trap "echo saved; exit 5" TERM; while :; do sleep 0.01; done`)
	task.Timeout, task.Grace = 50*time.Millisecond, patience
	if e := run(t, c, task); e.Status != 5 || e.Reason != subjects.ReasonTimeout {
		t.Errorf("end = %+v, want status 5 for its timeout", e)
	}
	if out := read(t, cfg.Dir, "stdout"); out != "saved\n" {
		t.Errorf("stdout = %q, want saved", out)
	}
}

// A daemon has a session of its own and init, or us, for its parent.
const daemonize = `setsid sh -c 'trap "" TERM HUP; echo $$ > daemon; exec sleep 1000' & while ! [ -s daemon ]; do sleep 0.01; done`

func TestDaemonsDieWithTheirTask(t *testing.T) {
	eachContainment(t, func(t *testing.T, cfg Config) {
		c := launch(t, cfg)
		e := run(t, c, shell(cfg, 1, daemonize+`; exit 0`))
		if e.Status != 0 || e.Reason != "" {
			t.Errorf("end = %+v, want success", e)
		}
		if !gone(t, cfg.Dir+"/daemon") {
			t.Error("the daemon lives on after its task was reported as ended, want it gone")
		}
	})
}

func TestKillReachesTheWholeTree(t *testing.T) {
	eachContainment(t, func(t *testing.T, cfg Config) {
		c := launch(t, cfg)
		if err := c.Start(shell(cfg, 1, daemonize+`; echo $$ > main; exec sleep 1000`)); err != nil {
			t.Fatal(err)
		}
		waitFor(t, "the task's file", func() bool { info, err := os.Stat(cfg.Dir + "/main"); return err == nil && info.Size() > 0 })
		if err := c.Kill(1, 0); err != nil {
			t.Fatal(err)
		}
		if e := next[*Exited](t, c); e.Status != -9 || e.Reason != ReasonKilled {
			t.Errorf("end = %+v, want killed", e)
		}
		if !gone(t, cfg.Dir+"/main") || !gone(t, cfg.Dir+"/daemon") {
			t.Error("a process of the task lives on, want all gone")
		}
	})
}

func TestForeignSignal(t *testing.T) {
	cfg := testConfig(t)
	c := launch(t, cfg)
	if e := run(t, c, shell(cfg, 1, `kill -SEGV $$`)); e.Status != -11 || e.Reason != subjects.ReasonSignal || e.Text != "killed by SIGSEGV" {
		t.Errorf("end = %+v, want SIGSEGV", e)
	}
}

func TestPauseStopsTheWholeTree(t *testing.T) {
	cfg := testConfig(t)
	c := launch(t, cfg)
	if err := c.Start(shell(cfg, 1, daemonize+`; echo $$ > main; while :; do :; done`)); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the task's file", func() bool { info, err := os.Stat(cfg.Dir + "/main"); return err == nil && info.Size() > 0 })
	state := func(file, want string) func() bool {
		pid := strings.TrimSpace(read(t, cfg.Dir, file))
		return func() bool { return strings.Contains(read(t, "/proc", pid, "status"), "State:\t"+want) }
	}
	if err := c.Pause(1); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the task to stop", state("main", "T"))
	waitFor(t, "its daemon to stop", state("daemon", "T"))
	if err := c.Resume(1); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the task to go on", state("main", "R"))
}

// waitFor polls what has no event to wait for: another process's doing.
func waitFor(t testing.TB, what string, done func() bool) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(patience)
	for !done() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("time is over, want %s", what)
		}
	}
}
