package shim

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"lull/hostctl/cgroup"
	"lull/subjects"
)

func TestMemoryHog(t *testing.T) {
	cfg := testConfig(t)
	cfg.Slot = testSlot(t, testTree(t), 0)
	c := launch(t, cfg)
	if err := cfg.Slot.Limit(32<<20, 0); err != nil {
		t.Fatal(err)
	}
	e := run(t, c, shell(cfg, 1, `head -c 256M /dev/zero | tail -c 128M | wc -c; exit 1`))
	if e.Reason != subjects.ReasonMemory {
		t.Errorf("end = %+v, want reason memory", e)
	}
	if e := run(t, c, shell(cfg, 2, `exit 1`)); e.Reason != subjects.ReasonExit || c.PID() == 0 {
		t.Errorf("the next task: %+v, want an exit of its own", e)
	}
}

func TestForkBomb(t *testing.T) {
	cfg := testConfig(t)
	cfg.Slot = testSlot(t, testTree(t), 0)
	c := launch(t, cfg)
	if err := cfg.Slot.Limit(0, 40); err != nil {
		t.Fatal(err)
	}
	task := shell(cfg, 1, `b() { b | b & }; b; sleep 1000`)
	task.Timeout = 200 * time.Millisecond
	if e := run(t, c, task); e.Reason != subjects.ReasonTimeout && e.Reason != subjects.ReasonExit {
		t.Errorf("end = %+v, want it for the time limit or its exit", e)
	}
	pids, err := cfg.Slot.Pids()
	if err != nil || len(pids) > 1 || len(pids) == 1 && pids[0] != c.PID() {
		t.Errorf("left in the slot: %v, %v; want the shim at most", pids, err)
	}
}

func TestTaskIsInItsCgroups(t *testing.T) {
	cfg := testConfig(t)
	cfg.Slot = testSlot(t, testTree(t), 3)
	c := launch(t, cfg)
	run(t, c, shell(cfg, 1, `cat /proc/self/cgroup /proc/self/oom_score_adj`))
	out := read(t, cfg.Dir, "stdout")
	groups := len(cfg.Slot.Joins())
	if cfg.Slot.Unified() != "" {
		groups++
	}
	agent := filepath.Base(filepath.Dir(append(cfg.Slot.Joins(), cfg.Slot.Unified())[0]))
	if n := strings.Count(out, "/"+agent+"/slot-3\n") + strings.Count(out, "/"+agent+"\n"); n != groups {
		t.Errorf("the task is in %d of %d groups, want all:\n%s", n, groups, out)
	}
	if !strings.HasSuffix(out, "\n"+taskScore+"\n") {
		t.Errorf("OOM score of the task, want %s at the end of\n%s", taskScore, out)
	}
	// As low as it may: -1000 needs CAP_SYS_RESOURCE, which not every root has.
	got := read(t, "/proc", strconv.Itoa(c.PID()), "oom_score_adj")
	if own := read(t, "/proc/self/oom_score_adj"); got != shimScore+"\n" && got != own {
		t.Errorf("OOM score of the shim = %q, want %s, or the agent's %q", got, shimScore, own)
	}
}

// The shim must not lack what a task uses up, because it reports how the task ended.
func TestShimIsOutsideTheLimits(t *testing.T) {
	cfg := testConfig(t)
	cfg.Slot = testSlot(t, testTree(t), 0)
	c := launch(t, cfg)
	out := cfg.Dir + "/groups"
	if e := run(t, c, shell(cfg, 1, `cat /proc/self/cgroup > `+out)); e.Status != 0 {
		t.Fatalf("end = %+v, want status 0", e)
	}
	shims, tasks := read(t, "/proc", strconv.Itoa(c.PID()), "cgroup"), read(t, out)
	for line := range strings.Lines(tasks) {
		_, rest, _ := strings.Cut(line, ":")
		controllers, group, _ := strings.Cut(rest, ":")
		limits := strings.Contains(controllers, "memory") || strings.Contains(controllers, "pids")
		if limits && (!strings.Contains(group, "slot-0") || strings.Contains(shims, line)) {
			t.Errorf("group of the task = %s, want one apart from the shim's\n%s", line, shims)
		}
	}
}

func TestFrozenSlot(t *testing.T) {
	t.Run("all", func(t *testing.T) { testFrozenSlot(t, testTree(t)) })
	t.Run("v1", func(t *testing.T) { testFrozenSlot(t, testTreeWith(t, v1Only)) })
}

func testFrozenSlot(t *testing.T, tree *cgroup.Tree) {
	cfg := testConfig(t)
	cfg.Slot = testSlot(t, tree, 0)
	c := launch(t, cfg)
	if err := c.Start(shell(cfg, 1, `while :; do echo x >> beat; sleep 0.01; done`)); err != nil {
		t.Fatal(err)
	}
	size := func() int { b, _ := os.ReadFile(cfg.Dir + "/beat"); return len(b) }
	waitFor(t, "a beat", func() bool { return size() > 0 })
	ctx := testContext(t)
	if err := cfg.Slot.Freeze(ctx); err != nil {
		t.Fatal(err)
	}
	before := size()
	again := launch(t, cfg) // an agent that comes back while all is frozen
	if size() != before && !cfg.Slot.FreezesShim() {
		t.Errorf("a frozen task went on from %d bytes, want no more", before)
	}
	if err := cfg.Slot.Thaw(ctx); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "another beat", func() bool { return size() > before })
	if err := cfg.Slot.Freeze(ctx); err != nil {
		t.Fatal(err)
	}
	if err := cfg.Slot.Kill(ctx, again.PID()); err != nil { // frozen, and yet
		t.Fatal(err)
	}
	if e := next[*Exited](t, again); e.Status != -9 {
		t.Errorf("end = %+v, want SIGKILL", e)
	}
	if e := run(t, again, shell(cfg, 2, `exit 0`)); e.Status != 0 {
		t.Errorf("end of the next task = %+v, want status 0", e)
	}
}
