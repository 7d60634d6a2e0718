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

// soon bounds what takes a tenth of a second on a machine that does nothing else, and
// took more than twenty when the killed had to wait behind the primary.
const soon = 15 * time.Second

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

// Whatever a hostile task does, it ends soon when it is told to, also beside a primary that leaves
// it no CPU to end with.
func TestHostileTasksEndBesideWhoWantsEveryCore(t *testing.T) {
	w := newWorld(t)
	primary := measure.NewPrimary(2, 0.2, 1)
	for n, task := range tasks {
		t.Run(task.name, func(t *testing.T) {
			w.T = t
			job := fmt.Sprintf("busy-%d-%d", os.Getpid(), n)
			attempts := w.unleash(job, task)
			primary.Serve(t.Context(), 200*time.Millisecond, 0) // while it does its harm
			wantEveryCore(t)
			begin := time.Now()
			w.end(job, attempts)
			took := time.Since(begin)
			w.nothingLeft(job)
			t.Logf("it ended in %v", took.Round(time.Millisecond))
			if took > soon {
				t.Errorf("it took %v to end", took)
			}
		})
	}
}
