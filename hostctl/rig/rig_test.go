package rig

import (
	"errors"
	"lull/hostctl/shim"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// The rig learns a program as an agent would, and leaves nothing behind.
func TestRigRunsAndLeavesNothing(t *testing.T) {
	rig, err := Open(Config{Dir: t.TempDir(), Slots: 1})
	check(t, err)
	work := t.TempDir()
	run, err := rig.Start(t.Context(), Task{
		Argv: sh(`echo well > result; exit 3`), Dir: work, Env: []string{"PATH=/usr/bin:/bin"}, Kind: "k", Reference: 1,
		Stderr: filepath.Join(work, "stderr"),
	})
	check(t, err)
	if _, err := rig.Start(t.Context(), Task{Argv: sh("true")}); err == nil && !run.Over() {
		t.Error("Start in a slot that is taken = nil error, want an error")
	}
	<-run.Done()
	if err := run.Err(); err == nil || !strings.Contains(err.Error(), "3") {
		t.Errorf("end of a command with status 3 = %v, want an error that says 3", err)
	}
	if got := read(t, filepath.Join(work, "result")); got != "well\n" {
		t.Errorf("result = %q, want well", got)
	}
	missing, err := rig.Start(t.Context(), Task{Argv: []string{"/no/such/command"}})
	check(t, err)
	<-missing.Done()
	if err := missing.Err(); err == nil || !strings.Contains(err.Error(), "/no/such/command") {
		t.Errorf("end of a missing command = %v, want an error that names it", err)
	}
	sleeper, err := rig.Start(t.Context(), Task{Argv: sh("sleep 1000"), Dir: work, Env: []string{"PATH=/usr/bin:/bin"}})
	check(t, err, sleeper.Stop(t.Context()), rig.Close(t.Context()))
	if left := rig.tree.Slots(); len(left) > 0 {
		t.Errorf("slots after Close = %v, want none", left)
	}
}

func sh(script string) []string { return []string{"/bin/sh", "-c", script} }

func check(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	check(t, err)
	return string(b)
}

// saturate is a primary that wants more than every core, until the test ends.
func saturate(t *testing.T) {
	t.Helper()
	for range 2 * runtime.NumCPU() {
		cmd := exec.Command("/bin/sh", "-c", "while :; do :; done")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
		check(t, cmd.Start())
		t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	}
}

// TestMain makes the test binary serve as the shim.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "shim" {
		os.Exit(shim.Main(os.Args[2:]))
	}
	os.Exit(m.Run())
}
