// Command runner runs tests as CI does, and refuses only faults. Its arguments are a "go test" command:
//
//	go run ./test/runner go test -timeout 20m ./...
//
// For ./... it runs each package once, with the race detector where that has something to look for (split).
//
// A test that is exact fails for good. One that is live meets processes, the kernel or the clock (live.go), and may fail because
// other programs took the machine. It runs once more, alone, when the machine has CPU to spare. If it passes then, it is flaky:
// that is told, with both outputs, and is no failure, unless more than three tests are flaky, or one was in the run before
// as well. If the machine never has CPU to spare, a live test that failed is told as not conclusive.
//
// The command "gotestsum --rerun-fails" also runs tests again, but not those of a package that ran out of time, it cannot tell
// tests that may run again from those that may not, and it does not look at the machine.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"lull/test/binary"
)

func main() {
	out := flag.String("out", "", "folder for the outputs of failed tests and the list of flaky ones, which the runs of one CI share (default a new one)")
	before := flag.String("before", "", "file with the list of tests that were flaky in the run before")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: runner [--out DIR] [--before FILE] go test [FLAGS] PACKAGES")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() < 3 || flag.Arg(0) != "go" || flag.Arg(1) != "test" {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	green, err := inFolder(ctx, flag.Args()[2:], *out, *before)
	if err != nil {
		fmt.Fprintln(os.Stderr, "runner:", err)
	}
	if err != nil || !green {
		os.Exit(1)
	}
}

// inFolder runs the tests with the command that they start, which is built once for all of them, and a folder for their outputs.
func inFolder(ctx context.Context, args []string, out, before string) (bool, error) {
	command, remove, err := binary.Lull()
	if err != nil {
		return false, err
	}
	defer remove()
	if err := os.Setenv(binary.Variable, command); err != nil {
		return false, err
	}
	if out != "" {
		return run(ctx, here, args, out, before)
	}
	if out, err = os.MkdirTemp("", "lull-tests-"); err != nil {
		return false, err
	}
	green, err := run(ctx, here, args, out, before)
	if told, failure := os.Stat(filepath.Join(out, toldList)); failure == nil && told.Size() == 0 {
		_ = os.RemoveAll(out)
	}
	return green, err
}

// run runs the tests of "go test" with args, and reports whether they were green.
func run(ctx context.Context, m machine, args []string, out, before string) (bool, error) {
	r := &report{machine: m, out: out}
	if err := r.open(before); err != nil {
		return false, err
	}
	suites, err := suitesOf(args)
	if err != nil {
		return false, err
	}
	for _, s := range suites {
		outcomes, err := s.run(ctx)
		if err != nil {
			return false, err
		}
		for _, o := range outcomes {
			r.add(o, s.args)
		}
	}
	if err := r.tryAgain(ctx); err != nil {
		return false, err
	}
	return r.finish()
}

// suitesOf returns the runs of "go test" that its arguments stand for.
func suitesOf(args []string) ([]suite, error) {
	last := len(args) - 1
	if args[last] != "./..." {
		return []suite{{args: args}}, nil
	}
	raced, rest, err := split()
	if err != nil {
		return nil, fmt.Errorf("list packages: %w", err)
	}
	flags := args[:last:last]
	return []suite{
		{name: " without the race detector", args: append(flags, rest...)},
		{name: " with the race detector", args: append(flags, raced...), raced: true},
	}, nil
}

// nameOf returns a test's name in messages and lists.
func nameOf(pkg, test string) string { return strings.TrimSuffix(pkg+"/"+test, "/") }
