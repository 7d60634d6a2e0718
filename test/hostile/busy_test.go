package hostile

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
	"time"

	"lull/hostctl/measure"
)

const (
	// soon bounds the end of a killed task, which takes a tenth of a second on a machine at rest. It took
	// more than twenty seconds when killed processes had to wait behind the primary.
	soon = 15 * time.Second
	// mostTries is how many runs of a task may be tried. Other load of the machine can delay the end of
	// one, but a fault delays the end of every one.
	mostTries = 3
)

// wantEveryCore is a primary that computes on every core, until the end of the test.
func wantEveryCore(t *testing.T) {
	t.Helper()
	for range 2 * runtime.NumCPU() {
		cmd := exec.Command("/bin/sh", "-c", "while :; do :; done")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
		must(t, cmd.Start())
		t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	}
}

// Whatever a hostile task does, it ends soon after its kill, even beside a primary that leaves it
// no CPU to end with.
func TestHostileTasksEndBesideABusyPrimary(t *testing.T) {
	w := newWorld(t)
	for n, task := range tasks {
		t.Run(task.name, func(t *testing.T) {
			least := time.Hour
			for i := 0; i < mostTries && least > soon; i++ {
				t.Run(fmt.Sprint(i), func(t *testing.T) {
					least = min(least, w.endsBusy(t, fmt.Sprintf("busy-%d-%d-%d", os.Getpid(), n, i), task))
				})
			}
			if least > soon {
				t.Errorf("time from the kill to the end, the best of %d tries = %v, want at most %v", mostTries, least, soon)
			}
		})
	}
}

// endsBusy is how long a task takes to end while a primary wants every core.
func (w *world) endsBusy(t *testing.T, job string, task task) time.Duration {
	w.T = t
	attempts := w.unleash(job, task)
	measure.NewPrimary(2, 0.2, 1).Serve(t.Context(), 200*time.Millisecond, 0) // while it does its harm
	wantEveryCore(t)
	begin := time.Now()
	w.end(job, attempts)
	took := time.Since(begin)
	w.nothingLeft(job)
	t.Logf("it ended in %v", took.Round(time.Millisecond))
	return took
}
