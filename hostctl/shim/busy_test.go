package shim

import (
	"os/exec"
	"runtime"
	"syscall"
	"testing"
	"time"
)

// wantEveryCore keeps all cores busy at ordinary priority, from sessions of their
// own, until the end of the test.
func wantEveryCore(t testing.TB) {
	t.Helper()
	for range 2 * runtime.NumCPU() {
		cmd := exec.Command("/bin/sh", "-c", "while :; do :; done")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	}
}

// startOthers starts one process after the other, as everybody on the host may, until
// the end of the test, and returns what the longest start took.
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

// A thousand processes and some that fork all the time end although others want
// every core: their shim has CPU to kill with, and the dead to die with, those too who
// were about to end by themselves.
func TestForkBombEndsBesideWhoWantsEveryCore(t *testing.T) {
	cfg := testConfig(t)
	cfg.Slot = testSlot(t, testTree(t), 0)
	c := launch(t, cfg)
	if err := cfg.Slot.Limit(0, 3000); err != nil {
		t.Fatal(err)
	}
	if err := c.Start(shell(cfg, 1, `
		i=0; while [ $i -lt 1000 ]; do sleep 1000 & i=$((i+1)); done
		for i in 1 2 3 4; do (while :; do (:) & wait; done) & done; wait`)); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the bomb to go off", func() bool { pids, _ := cfg.Slot.Pids(); return len(pids) >= 1000 })
	wantEveryCore(t)
	longest := startOthers(t)
	begin := time.Now()
	if err := c.Kill(1, 0); err != nil {
		t.Fatal(err)
	}
	if e := next[*Exited](t, c); e.Reason != ReasonKilled {
		t.Errorf("got %+v", e)
	}
	took, others := time.Since(begin), longest()
	t.Logf("it took %v to end, and others at most %v to start", took.Round(time.Millisecond), others.Round(time.Millisecond))
	if took > 10*time.Second || others > 5*time.Second {
		t.Errorf("it took %v to end, and others at most %v to start", took, others)
	}
	if pids, err := cfg.Slot.Pids(); err != nil || len(pids) > 0 {
		t.Errorf("left: %v, %v", pids, err)
	}
}
