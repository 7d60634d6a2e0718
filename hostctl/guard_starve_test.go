package hostctl

import (
	"os/exec"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/spec"
)

// saturate is a primary that wants more than every core, until the test ends.
func saturate(t *testing.T) {
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

// counted is a bus that counts core messages: heartbeats.
type counted struct {
	actors.Bus
	n atomic.Int64
}

func (c *counted) Publish(subject string, body []byte) error {
	c.n.Add(1)
	return c.Bus.Publish(subject, body)
}

// Beside a primary that wants every core, tasks have about StarveRun in each
// StarveAfter, and heartbeats go on.
func TestStarvedTasksGetTheirRation(t *testing.T) {
	w := newWorld(t)
	cfg := w.config("alpha")
	cfg.StarveAfter, cfg.StarveRun = 500*time.Millisecond, 50*time.Millisecond
	bus := &counted{Bus: cfg.Bus}
	cfg.Bus = bus
	h := w.host(cfg)
	if !h.Capabilities().Idle.OK() || !h.Capabilities().CPUTime.OK() {
		t.Skip("needs an idle class and accounts of CPU time")
	}
	w.Submit("job", spec.Stage{Argv: sh("while :; do :; done")})
	h.assign("job", 0, 0, 0)
	next[*subjects.Started](w, nil)
	saturate(t)
	used := func() float64 {
		cpu, _, err := h.slots.All()[0].Group.Usage()
		if err != nil {
			t.Fatal(err)
		}
		return cpu
	}
	began, first, beats := time.Now(), used(), bus.n.Load()
	eventually(t, "the task had four rations", func() bool { return used()-first > 4*0.05 })
	took := time.Since(began)
	t.Logf("four rations of 50 ms in %v, %d messages", took, bus.n.Load()-beats)
	eventually(t, "heartbeats flow", func() bool { return bus.n.Load() > beats })
	if took < 500*time.Millisecond {
		t.Errorf("the primary left %v CPU seconds within %v, want at least 500ms without any, or this is no starvation", used()-first, took)
	}
}
