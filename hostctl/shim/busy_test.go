package shim

import (
	"os/exec"
	"runtime"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// wantEveryCore keeps all cores busy at ordinary priority, from sessions of their own, until stop
// or the end of the test.
func wantEveryCore(t testing.TB) (stop func()) {
	t.Helper()
	var busy []*exec.Cmd
	stop = func() {
		for _, cmd := range busy {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
		busy = nil
	}
	t.Cleanup(stop)
	for range 2 * runtime.NumCPU() {
		cmd := exec.Command("/bin/sh", "-c", "while :; do :; done")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		busy = append(busy, cmd)
	}
	return stop
}

// startOthers starts one process after another, as any user of the host may, until the end of the
// test. longest returns the duration of the slowest start.
func startOthers(t testing.TB) (longest func() time.Duration) {
	t.Helper()
	end, took := make(chan struct{}), make(chan time.Duration, 1)
	go func() {
		var most time.Duration
		for {
			select {
			case <-end:
				took <- most
				return
			default:
			}
			begin := time.Now()
			if err := exec.Command("/bin/true").Run(); err != nil {
				t.Error(err)
			}
			most = max(most, time.Since(begin))
		}
	}()
	return func() time.Duration { close(end); return <-took }
}

// Five hundred processes, and some that fork all the time, end although a primary wants every core.
// Their shim has CPU to kill them, and they have CPU to end, including those that were about to end
// by themselves.
func TestForkBombEndsBesideABusyPrimary(t *testing.T) {
	cfg := testConfig(t)
	cfg.Slot = testSlot(t, testTree(t), 0)
	c := launch(t, cfg)
	if err := cfg.Slot.Limit(0, 3000); err != nil {
		t.Fatal(err)
	}
	if err := c.Start(shell(cfg, 1, `
		i=0; while [ $i -lt 500 ]; do sleep 1000 & i=$((i+1)); done
		for i in 1 2 3 4; do (while :; do (:) & wait; done) & done; wait`)); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the bomb to go off", func() bool { pids, _ := cfg.Slot.Pids(); return len(pids) >= 500 })
	wantEveryCore(t)
	longest := startOthers(t)
	begin := time.Now()
	if err := c.Kill(1, 0); err != nil {
		t.Fatal(err)
	}
	if e := next[*Exited](t, c); e.Reason != ReasonKilled {
		t.Errorf("end = %+v, want %s", e, ReasonKilled)
	}
	took, others := time.Since(begin), longest()
	t.Logf("it took %v to end, and others at most %v to start", took.Round(time.Millisecond), others.Round(time.Millisecond))
	if took > 20*time.Second || others > 5*time.Second {
		t.Errorf("end after %v, starts of others after %v at most, want at most 20s, 5s", took, others)
	}
	// All have their SIGKILL. Where still others want the CPU, the last ones need time to end.
	waitFor(t, "the rest of the bomb to end", func() bool {
		pids, err := cfg.Slot.Pids()
		return err == nil && len(pids) == 0
	})
}

// A task without a handler for SIGTERM ends at once, not with its grace.
func TestWhatTermKillsEndsBesideABusyPrimary(t *testing.T) {
	cfg := testConfig(t)
	cfg.Slot = testSlot(t, testTree(t), 0)
	c := launch(t, cfg)
	if err := c.Start(shell(cfg, 1, `i=0; while [ $i -lt 30 ]; do (while :; do :; done) & i=$((i+1)); done; echo >ready; wait`)); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "processes", isReady(cfg))
	wantEveryCore(t)
	begin := time.Now()
	if err := c.Kill(1, time.Hour); err != nil {
		t.Fatal(err)
	}
	if e := next[*Exited](t, c); e.Reason != ReasonKilled || e.Status != -int(unix.SIGTERM) {
		t.Errorf("end = %+v, want it killed by SIGTERM", e)
	}
	t.Logf("it ended after %v", time.Since(begin).Round(time.Millisecond))
}

// A shim that was spared when its slot was killed, beside a primary that wants every core, starts
// the next task.
func TestShimThatIsSparedGoesOn(t *testing.T) {
	cfg := testConfig(t)
	cfg.Slot = testSlot(t, testTree(t), 0)
	c := launch(t, cfg)
	if err := c.Start(shell(cfg, 1, `i=0; while [ $i -lt 200 ]; do sleep 1000 & i=$((i+1)); done; wait`)); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "processes", func() bool { pids, _ := cfg.Slot.Pids(); return len(pids) >= 200 })
	stop := wantEveryCore(t)
	if err := cfg.Slot.Kill(testContext(t), c.PID()); err != nil {
		t.Fatal(err)
	}
	stop()
	if attr, err := unix.SchedGetAttr(c.PID(), 0); err != nil || attr.Policy != unix.SCHED_NORMAL {
		t.Errorf("scheduling of the shim = %+v (%v), want the normal policy: a reservation is a bound", attr, err)
	}
	if e := next[*Exited](t, c); e.Status != -9 {
		t.Errorf("end = %+v, want SIGKILL", e)
	}
	if e := run(t, c, shell(cfg, 2, `exit 0`)); e.Status != 0 {
		t.Errorf("end of the next task = %+v, want status 0", e)
	}
}

// The v1 freezer stops all threads in it. One of them is the thread that has just forked a task, if
// that task is killed before the thread left. It belongs to the shim's own runtime, which would
// stop with it and could not thaw the slot.
func TestKillsSoonAfterTheForkBesideABusyPrimary(t *testing.T) {
	cfg := testConfig(t)
	cfg.Slot = testSlot(t, testTreeWith(t, v1Only), 0)
	c := launch(t, cfg)
	wantEveryCore(t)
	for attempt := range uint64(12) {
		task := shell(cfg, 1+attempt, "exec sleep 1000")
		task.Timeout = time.Millisecond
		if e := run(t, c, task); e.Reason != reasonTimeout {
			t.Errorf("end = %+v, want %s", e, reasonTimeout)
		}
	}
}
