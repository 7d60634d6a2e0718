package shim

import (
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"lull/subjects"
)

// saver is a program that saves its work at TERM by means of processes of its own, which takes it a while.
const saver = `trap 'sleep 0.3; sh -c "sleep 0.2; cat reason > saved"; exit 0' TERM; echo $$ > ready; while :; do sleep 0.05; done`

// wrappers are the ways in which users' lines start a program without exec. All but the last kill the
// first process by the signal that the program handles.
var wrappers = map[string]string{
	"shell":   `sh saver; echo after`,
	"pipe":    `sh saver | cat`,
	"timeout": `timeout 600 sh saver; echo after`,
	"setsid":  `setsid -w sh saver; echo after`,
	"monitor": `set -m; sh saver & wait; wait`,
	"exec":    `exec sh saver`,
}

// saving is a task that saves its work at the end.
func saving(t *testing.T, cfg Config, attempt uint64, wrapper string) Task {
	t.Helper()
	if err := os.WriteFile(cfg.Dir+"/saver", []byte(saver), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, old := range []string{"ready", "saved", "reason"} {
		_ = os.Remove(cfg.Dir + "/" + old)
	}
	task := shell(cfg, attempt, wrapper)
	task.StopFile = cfg.Dir + "/reason"
	return task
}

func isReady(cfg Config) func() bool {
	return func() bool { info, err := os.Stat(cfg.Dir + "/ready"); return err == nil && info.Size() > 0 }
}

func TestTheGraceIsThatOfAllProcesses(t *testing.T) {
	eachContainment(t, func(t *testing.T, cfg Config) {
		c := launch(t, cfg)
		attempt := uint64(0)
		for name, wrapper := range wrappers {
			t.Run(name, func(t *testing.T) {
				attempt++
				if err := c.Start(saving(t, cfg, attempt, wrapper)); err != nil {
					t.Fatal(err)
				}
				waitFor(t, "the program to run", isReady(cfg))
				if err := c.KillFor(attempt, patience, subjects.StopCancel); err != nil {
					t.Fatal(err)
				}
				if e := next[*Exited](t, c); e.Reason != ReasonKilled {
					t.Errorf("end = %+v, want killed", e)
				}
				if got := read(t, cfg.Dir, "saved"); got != "cancel\n" {
					t.Errorf("saved work = %q, want the reason in it", got)
				}
			})
		}
	})
}

func TestAShorterGraceReachesWhatTheMainProcessLeft(t *testing.T) {
	eachContainment(t, func(t *testing.T, cfg Config) {
		c := launch(t, cfg)
		// The shell dies of TERM, and its child ignores it.
		if err := c.Start(shell(cfg, 1, `echo $$ > main; sh -c 'trap "" TERM; echo $$ > ready; while :; do sleep 0.05; done' & wait; sleep 1000`)); err != nil {
			t.Fatal(err)
		}
		waitFor(t, "the program to run", isReady(cfg))
		if err := c.Kill(1, time.Hour); err != nil {
			t.Fatal(err)
		}
		waitFor(t, "the shell to end", func() bool { return gone(t, cfg.Dir+"/main") })
		if gone(t, cfg.Dir+"/ready") {
			t.Error("the program ended with its shell, want it to have its grace")
		}
		if err := c.Kill(1, 0); err != nil {
			t.Fatal(err)
		}
		if e := next[*Exited](t, c); e.Reason != ReasonKilled {
			t.Errorf("end = %+v, want killed", e)
		}
		if !gone(t, cfg.Dir+"/ready") {
			t.Error("the program lives on, want it gone")
		}
	})
}

func TestAStoppedTaskHandlesItsEnd(t *testing.T) {
	cfg := testConfig(t)
	c := launch(t, cfg)
	if err := c.Start(saving(t, cfg, 1, `sh saver; echo after`)); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the program to run", isReady(cfg))
	for _, pid := range readPIDs(cfg.Dir + "/ready") {
		if err := unix.Kill(pid, unix.SIGSTOP); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.KillFor(1, patience, subjects.StopEviction); err != nil {
		t.Fatal(err)
	}
	next[*Exited](t, c)
	if got := read(t, cfg.Dir, "saved"); got != "eviction\n" {
		t.Errorf("saved work = %q, want the reason in it", got)
	}
}

func TestATaskIsWarnedOfItsTimeout(t *testing.T) {
	eachContainment(t, func(t *testing.T, cfg Config) {
		c := launch(t, cfg)
		// The outer shell has no handler, and the signal would kill it.
		task := shell(cfg, 1, `sh -c 'trap "cat reason; exit 0" USR1; while :; do sleep 0.01; done'; echo after`)
		task.Timeout, task.StopFile = 2*patience, cfg.Dir+"/reason"
		task.Warn = Warn{Before: 2*patience - 500*time.Millisecond, Signal: int(unix.SIGUSR1)}
		if e := run(t, c, task); e.Status != 0 || e.Reason != "" {
			t.Errorf("end = %+v, want success", e)
		}
		if out := read(t, cfg.Dir, "stdout"); out != "timeout\nafter\n" {
			t.Errorf("stdout = %q, want the reason, and the shell to go on", out)
		}
	})
}

// The reason is written for the task, not through what the task put in its way.
func TestTheReasonFollowsNoLink(t *testing.T) {
	cfg := testConfig(t)
	c := launch(t, cfg)
	if err := os.WriteFile(cfg.Dir+"/precious", []byte("kept"), 0o644); err != nil {
		t.Fatal(err)
	}
	task := shell(cfg, 1, `trap "cat reason; exit 3" TERM; ln -s precious reason; echo $$ > ready; while :; do sleep 0.01; done`)
	task.StopFile = cfg.Dir + "/reason"
	if err := c.Start(task); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the program to run", isReady(cfg))
	if err := c.KillFor(1, patience, subjects.StopDrain); err != nil {
		t.Fatal(err)
	}
	next[*Exited](t, c)
	if got, out := read(t, cfg.Dir, "precious"), read(t, cfg.Dir, "stdout"); got != "kept" || !strings.Contains(out, "drain") {
		t.Errorf("file behind the link = %q, stdout = %q, want it kept, and the reason read", got, out)
	}
}
