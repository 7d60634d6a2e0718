package shim

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

func TestStarvedTimeIsInProportion(t *testing.T) {
	const second = time.Second
	for _, c := range []struct {
		what            string
		run, wait, want time.Duration
		cores           float64
	}{
		{"it runs", second, 0, 0, 1},
		{"it sleeps", 0, 0, 0, 1},
		{"it has no CPU", 0, second, second, 1},
		{"it has half of its core", second / 2, second / 2, second / 2, 1},
		{"it sleeps most of the time", second / 10, second / 10, second / 10, 1},
		{"eight threads share its core", second, 7 * second, 0, 1},
		{"eight threads have no CPU", 0, 8 * second, second, 1},
		{"it has one of its two cores", second, second, second / 2, 2},
		{"a task of half a core has it", second / 2, second / 2, 0, 0.5},
		{"a task of half a core has nothing", 0, second, second, 0.5},
	} {
		if got := starvedTime(second, c.run, c.wait, c.cores).Round(time.Millisecond); got != c.want {
			t.Errorf("%s: starved for %v of a second, want %v", c.what, got, c.want)
		}
	}
}

// threadFiles is a folder with what /proc says of threads.
type threadFiles string

func (d threadFiles) set(t *testing.T, tid int, state string, run, wait time.Duration) {
	t.Helper()
	dir := filepath.Join(string(d), strconv.Itoa(tid))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"schedstat": fmt.Sprintf("%d %d 7\n", run, wait), "stat": fmt.Sprintf("%d (a ) b) %s 1\n", tid, state),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// groupTimes reports that the kernel counts nothing of groups.
func (d threadFiles) groupTimes() (groupTimes, bool) { return groupTimes{}, false }

func (d threadFiles) threads(visit func(int, string)) {
	entries, _ := os.ReadDir(string(d))
	for _, e := range entries {
		tid, _ := strconv.Atoi(e.Name())
		visit(tid, filepath.Join(string(d), e.Name()))
	}
}

// A task computes for a second, is frozen for an hour, has no CPU for a minute, which the kernel
// counts when the thread runs again, and sleeps for a second: it could run for two seconds.
func TestFrozenAndStarvedTimeDoNotCount(t *testing.T) {
	proc, now := threadFiles(t.TempDir()), time.Unix(1000, 0)
	var c clock
	c.begin(now, false, proc)
	after := func(d time.Duration, held bool, state string, run, wait time.Duration) {
		t.Helper()
		now = now.Add(d)
		proc.set(t, 7, state, run, wait)
		c.look(now, held, 1, proc)
	}
	after(time.Second, true, "R", time.Second, 0)
	if at := c.over(time.Minute); !at.IsZero() {
		t.Errorf("the end of a frozen task = %v, want none", at)
	}
	after(time.Hour, false, "D", time.Second, 0)
	for range 60 {
		after(time.Second, false, "R", time.Second, 0)
	}
	if at := c.over(time.Second + time.Millisecond); at != now.Add(recheck) {
		t.Errorf("the end of a task without CPU = %v, want another look after %v", at.Sub(now), recheck)
	}
	after(time.Second, false, "S", time.Second, 61*time.Second)
	after(time.Second, false, "S", time.Second, 61*time.Second)
	if got := c.ran.Round(time.Millisecond); got != 2*time.Second {
		t.Errorf("it could run for %v, want 2s", got)
	}
	if at := c.over(time.Minute); at != now.Add(58*time.Second) {
		t.Errorf("it may go on for %v, want 58s", at.Sub(now))
	}
}

// countedGroup is a group of which no process lives when one looks.
type countedGroup struct{ times groupTimes }

func (*countedGroup) threads(func(int, string))        {}
func (g *countedGroup) groupTimes() (groupTimes, bool) { return g.times, true }

// A shell starts one short program after the other, on a machine that gives them no CPU for half of the time.
func TestWaitsOfProcessesThatHaveEndedDoNotCount(t *testing.T) {
	group, now := &countedGroup{groupTimes{run: time.Hour, stalled: time.Hour}}, time.Unix(1000, 0)
	var c clock
	c.begin(now, false, group)
	for range 10 {
		now = now.Add(time.Second)
		group.times.run += 100 * time.Millisecond
		group.times.stalled += 500 * time.Millisecond
		c.look(now, false, 1, group)
	}
	if got := c.ran.Round(time.Millisecond); got < 4500*time.Millisecond || got > 6*time.Second {
		t.Errorf("it could run for %v of 10s, want about half", got)
	}
	// Eight of them at once on two cores lack nothing: they wait for each other.
	before := c.ran
	group.times.run, group.times.stalled = group.times.run+2*time.Second, group.times.stalled+time.Second
	c.look(now.Add(time.Second), false, 1, group)
	if got := c.ran - before; got != time.Second {
		t.Errorf("beside each other they could run for %v of 1s, want all of it", got)
	}
}

// The shim reads of the freeze two seconds after it was ordered.
func TestAFreezeCountsFromItsOrder(t *testing.T) {
	now := time.Now()
	s := &server{task: &task{Task: Task{Timeout: time.Minute}}}
	s.forker.groups = noGroups()
	s.task.clock.at = now.Add(-5 * time.Second)
	s.hold(hold{Frozen: true, At: now.Add(-2 * time.Second).UnixNano()})
	if got := s.task.clock.ran; got < 2990*time.Millisecond || got > 3010*time.Millisecond || !s.task.clock.held || !s.frozen {
		t.Errorf("it ran for %v, want 3s, and held = %v", got, s.task.clock.held)
	}
}

// The second task shows that the time of both has passed.
func TestATimeoutDoesNotCountFrozenTime(t *testing.T) {
	cfg := testConfig(t)
	frozen, other := launch(t, cfg), launch(t, testConfig(t))
	task := shell(cfg, 1, "sleep 600")
	task.Timeout, task.Grace = 100*time.Millisecond, 10*time.Millisecond
	if err := frozen.Hold(true); err != nil {
		t.Fatal(err)
	}
	if err := frozen.Start(task); err != nil {
		t.Fatal(err)
	}
	next[*Started](t, frozen)
	reference := run(t, other, task)
	if reference.Reason != reasonTimeout {
		t.Fatalf("end beside it = %+v, want a timeout", reference)
	}
	select {
	case e := <-frozen.Events():
		t.Fatalf("%+v while the task was frozen, want it to go on", e)
	default:
	}
	if err := frozen.Hold(false); err != nil {
		t.Fatal(err)
	}
	if e := next[*Exited](t, frozen); e.Reason != reasonTimeout || e.Seconds < reference.Seconds {
		t.Errorf("end = %+v, want a timeout after more than %.3f s", e, reference.Seconds)
	}
}

func TestWallCountsFrozenTime(t *testing.T) {
	cfg := testConfig(t)
	c := launch(t, cfg)
	task := shell(cfg, 1, "sleep 600")
	task.Timeout, task.Wall, task.Grace = time.Hour, 100*time.Millisecond, 10*time.Millisecond
	if err := c.Hold(true); err != nil {
		t.Fatal(err)
	}
	if e := run(t, c, task); e.Reason != reasonTimeout || e.Text != "it took longer than its stage's wall of 100ms" {
		t.Errorf("end of a frozen task = %+v, want it by its wall", e)
	}
}
