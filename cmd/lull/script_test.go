package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"

	"lull/cmd/lull/commands/jobs"
	"lull/cmd/lull/serve/helper"
	"lull/test/poll"
	"lull/test/unguarded"
)

// scripts is how many scripts run at once for each CPU, unless -parallel says otherwise.
const scripts = 2

// TestMain makes a lull command of the test binary, for the scripts, and for the processes that
// their agents start as /proc/self/exe.
func TestMain(m *testing.M) {
	if status, aside := helper.Main(os.Args); aside {
		os.Exit(status)
	}
	// They mostly wait: for processes, for idle CPU, and for hosts that are silent.
	if err := flag.Set("test.parallel", strconv.Itoa(scripts*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	testscript.Main(m, map[string]func(){"lull": unguardedMain})
}

// unguardedMain is lull, but for hosts whose tasks do not wait until other scripts leave CPU idle.
func unguardedMain() {
	unguarded.Set(&jobs.OwnHost)
	if len(os.Args) > 1 && os.Args[1] == "up" {
		os.Args = slices.Insert(os.Args, 2, unguarded.Flags()...)
	}
	main()
}

// TestScripts runs testdata/script: what people type, and what they read.
// Each script has a data folder of its own, or takes that of the pool which several share.
func TestScripts(t *testing.T) {
	pool, err := newSharedPool(t)
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", RequireExplicitExec: true, RequireUniqueNames: true,
		Deadline:  deadline(t), // a script that hangs is ended and shows where
		Cmds:      map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "until": until, "smalldisk": smallDisk, "freeze": freeze, "pool": pool.use},
		Condition: condition,
		Setup: func(env *testscript.Env) error {
			env.Setenv("LULL_DATA", env.Getenv("WORK")+"/data")
			return passable(env.Getenv("WORK"))
		},
	})
}

// deadline is a minute before the test binary's own, which would say nothing of the script.
func deadline(t *testing.T) time.Time {
	if at, ok := t.Deadline(); ok {
		return at.Add(-time.Minute)
	}
	return time.Now().Add(time.Hour)
}

// passable allows others to pass through a script's folder. Tasks of an agent that is root
// run as another user.
func passable(work string) error {
	for _, folder := range []string{filepath.Dir(work), work} {
		if err := os.Chmod(folder, 0o711); err != nil {
			return err
		}
	}
	return nil
}

// condition knows [root].
func condition(name string) (bool, error) {
	if name != "root" {
		return false, fmt.Errorf("no condition %s", name)
	}
	return os.Geteuid() == 0, nil
}

// smallDisk puts a disk, on which any user may write, in a folder's place until the script ends. It has 2 MB, or
// what its options say, as those of mount for tmpfs: smalldisk FOLDER [OPTIONS].
func smallDisk(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: smalldisk FOLDER [OPTIONS]")
	}
	options := "size=2m"
	if len(args) == 2 {
		options = args[1]
	}
	folder := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(folder, 0o711))
	ts.Check(unix.Mount("lull-test", folder, "tmpfs", 0, options+",mode=777"))
	ts.Defer(func() { ts.Check(unix.Unmount(folder, unix.MNT_DETACH)) })
}

// freeze stops the process whose id is in a file. It goes on when the script lets it, or at the script's end, which waits
// for all processes: freeze FILE.
func freeze(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: freeze FILE")
	}
	pid, err := strconv.Atoi(strings.TrimSpace(ts.ReadFile(args[0])))
	ts.Check(err)
	ts.Check(unix.Kill(pid, unix.SIGSTOP))
	ts.Defer(func() { _ = unix.Kill(pid, unix.SIGCONT) }) // it may have ended
}

// exits runs a command and compares its exit code: exits 2 lull run x.yaml.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := code(ts.Exec(args[1], args[2:]...)); got != want {
		ts.Fatalf("exit code of %q = %d, want %d", args[1:], got, want)
	}
}

func code(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	return -1
}

// patience is how long until waits, in idle time: see poll.Chance.
const patience = 240 * time.Second

// pause is the time between two tries of until: starting lull without a pause would take the idle CPU
// that what is waited for needs.
const pause = 200 * time.Millisecond

// until runs a command again and again until it succeeds.
func until(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: until COMMAND…")
	}
	if !poll.Until(patience, pause, func() bool { return ts.Exec(args[0], args[1:]...) == nil }) {
		ts.Fatalf("%q failed for %v, want it to succeed once", args, patience)
	}
}
