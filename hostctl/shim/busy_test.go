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
	begin := time.Now()
	if err := c.Kill(1, 0); err != nil {
		t.Fatal(err)
	}
	if e := next[*Exited](t, c); e.Reason != ReasonKilled {
		t.Errorf("got %+v", e)
	}
	took := time.Since(begin)
	t.Logf("it took %v to end", took.Round(time.Millisecond))
	if took > 10*time.Second {
		t.Errorf("it took %v to end", took)
	}
	if pids, err := cfg.Slot.Pids(); err != nil || len(pids) > 0 {
		t.Errorf("left: %v, %v", pids, err)
	}
}
